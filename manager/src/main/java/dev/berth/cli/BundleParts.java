package dev.berth.cli;

import dev.berth.agent.state.FormerLatencies;
import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Detected;
import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.SysCapture;
import dev.berth.linux.Sysfs;
import dev.berth.render.MachineJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** What goes into a support bundle, by its name there. A part that cannot be had is told of. */
final class BundleParts {
  private static final int LARGEST = 32 << 20;

  private final SortedMap<String, byte[]> files = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();

  SortedMap<String, byte[]> files() {
    return files;
  }

  /** What could not be had, and why, a line each. */
  List<String> missing() {
    return missing;
  }

  /** Adds a text, or the reason why there is none. */
  void text(String name, Callable<String> text) {
    try {
      files.put(name, text.call().getBytes(StandardCharsets.UTF_8));
    } catch (Exception e) {
      missing.add(name + ": " + (e instanceof InvalidInputException i ? i.line() : e));
    }
  }

  void machine() {
    text("machine/topology.json", () -> MachineJson.write(Sysfs.here()));
    SysCapture.files(Path.of("/"))
        .forEach((name, content) -> files.put("machine/" + name, content));
    text("kernel.txt", () -> kernel());
  }

  private static String kernel() throws IOException {
    return Files.readString(Path.of("/proc/version"))
        + "command line: "
        + Files.readString(Path.of("/proc/cmdline"))
        + "groups of this command:\n"
        + Files.readString(Path.of("/proc/self/cgroup"));
  }

  void versions() {
    text(
        "versions.txt",
        () ->
            "berth "
                + Version.number()
                + "\njava "
                + Runtime.version()
                + ", "
                + System.getProperty("java.vendor")
                + "\n"
                + System.getProperty("os.name")
                + " "
                + System.getProperty("os.version")
                + " "
                + System.getProperty("os.arch")
                + "\n");
  }

  /** What an agent tells of itself. */
  void agent(AgentClient client) {
    text("agent/about.json", () -> client.ask("GET", "/about", ""));
    text("agent/configuration.yaml", () -> client.ask("GET", "/config", ""));
    text("agent/ps.json", () -> client.ask("GET", "/pods", ""));
    text("agent/events.jsonl", () -> client.ask("GET", "/events", ""));
    text("agent/metrics.txt", () -> client.ask("GET", "/metrics", ""));
    text("agent/log.txt", () -> client.ask("GET", "/agentlog", ""));
    // Asked last: it says so where the agent could not be counted on.
    text("agent/ready.txt", () -> client.ask("GET", "/readyz", ""));
  }

  /** The files of a state folder: ours without secrets, Kubernetes' as they are, others not. */
  void state(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path file : entries.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
          missing.add("state/" + name + ": a folder or too large, left out");
        } else if (name.startsWith("berth_state")) {
          text("state/" + name, () -> Redaction.journal(latin(file)));
        } else if (name.startsWith("cpu_manager_state")
            || name.startsWith("memory_manager_state")
            || name.equals(FormerLatencies.FILE)) {
          files.put("state/" + name, Files.readAllBytes(file));
        } else {
          missing.add("state/" + name + ": not known, left out");
        }
      }
    } catch (IOException e) {
      missing.add("state: " + e);
    }
  }

  /** Also of a torn file, which may end within a character. */
  private static String latin(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** Groups at these places. */
  void groups(List<Path> places) {
    text("cgroups.txt", () -> GroupListing.of(places));
  }

  /** Where our groups would be for a process started here. */
  static List<Path> groupsHere(String cgroup) {
    return switch (Cgroups.detect(cgroup)) {
      case Detected.Unusable _ -> List.of();
      case Detected.Usable usable ->
          usable.cgroups().joinFiles(GroupPath.OWN).stream()
              .map(Path::getParent)
              .filter(Objects::nonNull)
              .toList();
    };
  }
}
