package dev.berth.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code berth bundle}: all that somebody else needs to see what is wrong. */
final class BundleCommand implements Command {
  static final String SUMMARY =
      "Packs what helps to find a fault into an archive: the machine, the configuration, the state"
          + " folder, and where an agent answers, its pods, events, metrics and log.";

  private static final String ABOUT =
      """
      A support bundle of Berth.

      versions.txt, kernel.txt   what runs
      machine/                   how the machine is discovered: berth topology --sysfs machine
      agent/                     what the agent told of itself, where one answered
      configuration.yaml         the settings of the file and flags given, where no agent answered
      state/                     the state folder; the checksums of berth_state are the original's
      cgroups.txt                our groups, with what they have

      Left out: the values of environment variables, and what containers print.
      """;

  private final Output output;
  private final AgentClient client = new AgentClient();
  private final ConfigurationFlags configuration = new ConfigurationFlags();
  private Path file = Path.of("berth-bundle.tar.gz");
  private @Nullable Path state;
  private String cgroup = "berth";

  BundleCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "bundle", SUMMARY)
        .with(
            client,
            configuration,
            Option.named("-o", "--output")
                .takes("FILE", Path.class, file, value -> file = value)
                .says("The archive. Default: ${DEFAULT-VALUE}."),
            Option.named("--state")
                .maybe("DIR", Path.class, value -> state = value)
                .says("The state folder. Default: the agent's, or /var/lib/berth for root."),
            Option.named("--cgroup")
                .takes("NAME", String.class, cgroup, value -> cgroup = value)
                .says("The group of ours, where no agent answers. Default: berth."))
        .footer(
            "",
            "Left out, since secrets are there: the values of environment variables, and what"
                + " containers print. Commands and their arguments are in it, so look through it"
                + " before you send it.",
            "",
            "Examples:",
            "  berth bundle")
        .spec();
  }

  @Override
  public Integer call() throws IOException {
    BundleParts parts = new BundleParts();
    parts.versions();
    parts.machine();
    Optional<JsonNode> agent = agent();
    if (agent.isPresent()) {
      parts.agent(client);
    } else {
      parts.missing().add("agent: none answers at " + client.socket());
      parts.text("configuration.yaml", () -> configuration.settings().yaml());
    }
    parts.state(stateFolder(agent));
    parts.groups(groups(agent));
    parts.text("bundle.txt", () -> ABOUT + missing(parts));
    write(parts.files());
    parts.missing().forEach(line -> output.err().println("note: " + line));
    output.out().println(file);
    return ExitCode.DONE.number();
  }

  private static String missing(BundleParts parts) {
    return parts.missing().isEmpty()
        ? ""
        : "\nNot to be had:\n" + String.join("\n", parts.missing()) + "\n";
  }

  private Optional<JsonNode> agent() {
    try {
      return Optional.of(client.askJson("GET", "/about", ""));
    } catch (AgentClient.UnreachableException e) {
      return Optional.empty();
    }
  }

  private Path stateFolder(Optional<JsonNode> agent) {
    Path given = state;
    if (given != null) {
      return given;
    }
    return agent
        .map(about -> Path.of(about.path("state").asString()))
        .orElseGet(() -> AgentPaths.of(System.getenv()).state());
  }

  private List<Path> groups(Optional<JsonNode> agent) {
    if (agent.isEmpty()) {
      return BundleParts.groupsHere(cgroup);
    }
    List<Path> groups = new ArrayList<>();
    agent.get().path("groups").forEach(group -> groups.add(Path.of(group.asString())));
    return groups;
  }

  /** Only its owner may read it, and nobody sees half of it. */
  private void write(Map<String, byte[]> files) throws IOException {
    Path whole = file.toAbsolutePath();
    Path folder = whole.getParent();
    Path fresh =
        Files.createTempFile(
            folder == null ? Path.of("/") : folder,
            ".berth-bundle",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh));
          TarWriter tar = new TarWriter(new GZIPOutputStream(out))) {
        for (Map.Entry<String, byte[]> part : files.entrySet()) {
          tar.add("berth-bundle/" + part.getKey(), part.getValue());
        }
      }
      Files.move(fresh, whole, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
