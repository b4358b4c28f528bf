package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.page.StoryPage;
import dev.berth.render.MachineJson;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The page in a real browser, with a real agent behind it; {@code e2e/page} has the claims. */
@Tag("slow")
class PageTest {
  private static final Path DRIVER = Path.of("..", "e2e", "page").toAbsolutePath().normalize();
  private static final Path CHROMIUM =
      Path.of(System.getenv().getOrDefault("CHROMIUM", "/usr/bin/chromium"));
  private static final String LARGE = "pack:2 node:8 l3:1 core:16 pu:2";

  /** Half a minute where the machine has nothing else to do; each claim has its own limits. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> inABrowser() throws Exception {
    assumeTrue(Files.isExecutable(CHROMIUM), "without chromium (Debian: apt install chromium)");
    assumeTrue(
        Files.isDirectory(DRIVER.resolve("node_modules/playwright-core")),
        "without playwright-core: e2e/page/prepare installs it");
    Path pages = Files.createDirectories(Path.of("target", "page").toAbsolutePath());
    write(pages.resolve("two.html"), Tale.of(Machines.parse("pack:1 core:1 pu:2"), 12, 1));
    write(pages.resolve("large.html"), Tale.of(Machines.parse(LARGE), 400, 2));
    write(pages.resolve("hostile.html"), Tale.hostile(Machines.parse("pack:2 core:4 pu:2"), 60, 3));
    write(pages.resolve("long.html"), Tale.of(Machines.parse("epyc-9654-2p-nps4"), 100_000, 4));
    write(pages.resolve("guests.html"), guests());
    simulate(pages.resolve("compared.html"));
    List<JsonNode> claims = claims(pages);
    return claims.stream()
        .map(claim ->
            DynamicTest.dynamicTest(
                claim.path("claim").asString() + detail(claim),
                () -> assertThat(claim.path("failure").asString()).isEmpty()));
  }

  private static String detail(JsonNode claim) {
    String detail = claim.path("detail").asString();
    return detail.isEmpty() ? "" : " (" + detail + ")";
  }

  /** Containers of another runtime: two of one pod, of which one leaves, and one of another. */
  private static Story guests() {
    Machine machine = Machines.parse("pack:1 core:4 pu:2");
    List<Story.Told> pods =
        Stream.of("1/app db", "1/log db", "2/app web")
            .map(words -> words.split(" ", -1))
            .map(words -> new Story.Told(words[0], "default", words[1], "Guaranteed", NOTHING))
            .toList();
    List<Step> steps =
        List.of(
            admitted(0, "app", "1-2"),
            admitted(2, "app", "4"),
            admitted(1, "log", "3"),
            Step.of(4, Step.Kind.REMOVED, 0));
    return new Story(
        "guests",
        Optional.empty(),
        MachineJson.tree(machine),
        "",
        CpuSet.of(0),
        pods,
        Story.Start.empty(machine.cpus()),
        steps);
  }

  private static Step admitted(int pod, String container, String cpus) {
    SortedMap<String, CpuSet> own = new TreeMap<>(Map.of(container, CpuSet.parse(cpus)));
    return Step.of(pod, Step.Kind.ADMITTED, pod)
        .with(
            new Holding(
                own,
                CpuSet.EMPTY,
                Collections.emptySortedMap(),
                List.of(),
                Collections.emptySortedMap()));
  }

  private static void write(Path file, Story story) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      StoryPage.write(json -> StoryJson.writer(json, story).close(), out);
    }
  }

  /** The page that a person gets who compares configurations. */
  private void simulate(Path page) throws Exception {
    List<String> words =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.berth.cli.Main",
            "simulate",
            "-f",
            Path.of("..", "examples", "day.yaml").toString(),
            "--machine",
            "epyc-9654-2p-nps4",
            "--compare",
            "-o",
            "html");
    Path errors = folder.resolve("simulate.err");
    Process berth =
        new ProcessBuilder(words)
            .redirectOutput(page.toFile())
            .redirectError(errors.toFile())
            .start();
    boolean ended = berth.waitFor(2, TimeUnit.MINUTES);
    berth.destroyForcibly().waitFor();
    assertThat(ended).as("the simulation has ended").isTrue();
    assertThat(berth.exitValue()).as(Files.readString(errors)).isZero();
  }

  /** With an agent that pretends to be a large machine, and where there are groups a real one. */
  private List<JsonNode> claims(Path pages) throws Exception {
    Path large = Files.createDirectory(folder.resolve("large"));
    Path real = Files.createDirectory(folder.resolve("real"));
    try (RealAgent pretending =
        RealAgent.startBehind(large, List.of(), "--machine", LARGE, "--reserved-cpus", "0-1")) {
      try (RealAgent starting = RealAgent.start(real)) {
        return claims(pages, List.of(pretending, starting));
      } catch (TestAbortedException e) {
        return claims(pages, List.of(pretending));
      }
    }
  }

  /** Where an agent's page is; it answers on its socket before it says so. */
  private static String address(RealAgent agent) throws Exception {
    long began = System.nanoTime();
    Matcher address = ADDRESS.matcher(Files.readString(agent.log()));
    while (!address.find()) {
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .as("until the agent says where it listens")
          .isLessThan(Duration.ofMinutes(1));
      TimeUnit.MILLISECONDS.sleep(50);
      address = ADDRESS.matcher(Files.readString(agent.log()));
    }
    return address.group();
  }

  private List<JsonNode> claims(Path pages, List<RealAgent> agents) throws Exception {
    List<String> words = new ArrayList<>(List.of("node", DRIVER.resolve("claims.mjs").toString()));
    words.add(pages.toString());
    for (RealAgent agent : agents) {
      words.addAll(List.of(address(agent) + "/", agent.socket().toString()));
    }
    Path report = pages.resolve("claims.jsonl");
    Path errors = folder.resolve("claims.err");
    Process node =
        new ProcessBuilder(words)
            .redirectOutput(report.toFile())
            .redirectError(errors.toFile())
            .start();
    boolean ended = node.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES);
    node.descendants().forEach(ProcessHandle::destroyForcibly);
    node.destroyForcibly().waitFor();
    assertThat(ended).as("the browser has done its work: " + Files.readString(report)).isTrue();
    assertThat(node.exitValue()).as(Files.readString(errors)).isZero();
    List<JsonNode> claims =
        Files.readAllLines(report).stream().map(JsonMapper.shared()::readTree).toList();
    assertThat(claims).hasSizeGreaterThan(24);
    return claims;
  }
}
