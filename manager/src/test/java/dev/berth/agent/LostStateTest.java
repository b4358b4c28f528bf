package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A CPU keeps its one owner although the state folder is lost, old or damaged. */
@Tag("slow")
class LostStateTest {
  private static final List<String> FILES = List.of("berth_state", "cpu_manager_state");

  @TempDir private Path folder;
  private RealAgent agent;

  /** What becomes of the state folder while no agent runs. */
  enum Loss {
    DELETED,
    OLDER_COPY,
    TRUNCATED,
    ONE_BIT_IN_EACH,
    RUNTIME_FOLDER_TOO
  }

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.start(folder, "--cpu-manager-reconcile-period", "300ms");
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  private void lose(Loss loss) throws IOException {
    switch (loss) {
      case DELETED -> delete(agent.state());
      case OLDER_COPY -> {
        delete(agent.state());
        copy(folder.resolve("backup"), agent.state());
      }
      case TRUNCATED -> {
        for (String name : FILES) {
          Files.write(agent.state().resolve(name), new byte[0]);
        }
      }
      case ONE_BIT_IN_EACH -> {
        for (String name : FILES) {
          flipLastBit(agent.state().resolve(name));
        }
      }
      case RUNTIME_FOLDER_TOO -> {
        delete(agent.state());
        delete(agent.runtime());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void aContainerThatRunsKeepsItsCpuWhateverBecomesOfTheState(Loss loss) throws Exception {
    copy(agent.state(), folder.resolve("backup"));
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long first = agent.pidOf("first");
    long shared = agent.pidOf("shared");
    agent.kill();
    lose(loss);
    agent.startAgain();

    JsonNode second = agent.apply(pod("second", guaranteed(1), "sleep", "1000")).get(0);

    assertThat(second.path("outcome").asString()).as("%s", second).isEqualTo("refused");
    assertThat(onCpu(1)).containsExactly(first);
    assertThat(allowed(first)).hasToString("1");
    assertThat(allowed(shared)).hasToString("0");
    assertThat(agent.ask("GET", "/readyz", "")).startsWith("ok\n");
    endAll();
    JsonNode late = agent.apply(pod("third", guaranteed(1), "sleep", "1000")).get(0);
    assertThat(late.path("outcome").asString()).as("%s", late).isEqualTo("admitted");
    long third = agent.pidOf("third");
    assertThat(onCpu(1)).containsExactly(third);
  }

  @Test
  void anUnknownContainerIsToldEverywhereAndEndedOnRequest() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long first = agent.pidOf("first");
    agent.pidOf("shared");
    agent.kill();
    delete(agent.state());
    agent.startAgain();

    JsonNode holders = agent.status().path("unknownHolders");
    assertThat(holders.findValuesAsString("uid"))
        .containsExactly("default_first", "default_shared");
    JsonNode holder = holders.get(0);
    assertThat(holder.path("cpus").asString()).isEqualTo("1");
    assertThat(holder.path("containers").get(0).path("processes").get(0).asLong()).isEqualTo(first);
    assertThat(holders.get(1).path("containers").get(0).path("shares").asBoolean()).isTrue();
    assertThat(agent.ask("GET", "/events", ""))
        .contains("app runs on CPUs 1 and no record names it: it keeps them until it ends");
    assertThat(agent.ask("GET", "/readyz", "")).contains("unknown holder default_first: CPUs 1");
    assertThat(agent.ask("GET", "/metrics", "")).contains("\nberth_unknown_holders 2\n");

    JsonNode again = agent.apply(pod("first", guaranteed(1), "sleep", "1000")).get(0);
    assertThat(again.path("message").asString())
        .isEqualTo(
            "containers of pod first run already and no record names them; berth rm default_first"
                + " ends them");
    agent.remove("default_first");
    assertThat(Path.of("/proc/" + first)).doesNotExist();
    assertThat(agent.status().path("unknownHolders").findValuesAsString("uid"))
        .containsExactly("default_shared");
    again = agent.apply(pod("first", guaranteed(1), "sleep", "1000")).get(0);
    assertThat(again.path("outcome").asString()).isEqualTo("admitted");
  }

  @Test
  void anUnknownContainerThatEndsGivesItsCpuBack() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    long first = agent.pidOf("first");
    agent.kill();
    delete(agent.state());
    agent.startAgain();
    assertThat(agent.status().path("exclusive").asString()).isEqualTo("1");
    ProcessHandle.of(first).orElseThrow().destroyForcibly();
    await("its CPU to be free", () -> agent.status().path("exclusive").asString().isEmpty());
    assertThat(agent.status().path("unknownHolders")).isEmpty();
  }

  @Test
  void anUnknownContainerIsStillUnknownAfterAnotherStartAndGoneWithItsProcesses() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    long first = agent.pidOf("first");
    agent.kill();
    delete(agent.state());
    agent.startAgain();
    agent.kill();
    agent.startAgain();
    assertThat(agent.status().path("exclusive").asString()).isEqualTo("1");
    agent.kill();
    ProcessHandle.of(first).orElseThrow().destroyForcibly();
    await("it to be gone", () -> !Files.exists(Path.of("/proc/" + first)));
    agent.startAgain();
    assertThat(agent.status().path("exclusive").asString()).isEmpty();
    assertThat(agent.status().path("unknownHolders")).isEmpty();
  }

  @Test
  void anUnknownContainerOnTheSharedPoolFollowsThePool() throws Exception {
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long shared = agent.pidOf("shared");
    agent.kill();
    delete(agent.state());
    agent.startAgain();
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    long alone = agent.pidOf("alone");
    assertThat(onCpu(1)).containsExactly(alone);
    assertThat(allowed(shared)).hasToString("0");
  }

  /** The journal of an earlier boot must not start a pod beside itself. */
  @Test
  void anOldJournalStartsNoContainerBesideItself() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    long first = agent.pidOf("first");
    agent.kill();
    Path journal = agent.state().resolve("berth_state");
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    List<String> lines = new ArrayList<>(Files.readAllLines(journal));
    String header = lines.getFirst().substring(9).replace(boot, "another-boot");
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(header.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    lines.set(0, "%08x %s".formatted(crc.getValue(), header));
    Files.write(journal, lines);
    agent.startAgain();
    assertThat(agent.pidOf("first")).isEqualTo(first);
    assertThat(agent.container("first", "app").path("starts").asInt()).isEqualTo(1);
    assertThat(onCpu(1)).containsExactly(first);
  }

  @Test
  void aContainerWhoseShellIsForgottenIsNotStartedAgain() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    long first = agent.pidOf("first");
    agent.kill();
    delete(agent.runtime());
    agent.startAgain();
    assertThat(onCpu(1)).containsExactly(first);
    assertThat(agent.container("first", "app").path("state").asString()).isEqualTo("running");
    ProcessHandle.of(first).orElseThrow().destroyForcibly();
    await("a second start", () -> agent.container("first", "app").path("starts").asInt() == 2);
    long next = agent.pidOf("first");
    assertThat(onCpu(1)).containsExactly(next);
  }

  @Test
  void aFolderThatIsRemovedWhileTheAgentRunsIsWrittenAnewBeforeAnythingElse() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    long first = agent.pidOf("first");
    delete(agent.state());
    Files.writeString(agent.state(), "in the way");
    JsonNode refused = agent.apply(pod("second", "{}", "sleep", "1000")).get(0);
    assertThat(refused.path("outcome").asString()).as("%s", refused).isEqualTo("refused");
    assertThat(refused.path("reason").asString()).isEqualTo("StateUnwritable");
    assertThat(agent.isReady()).isFalse();
    Files.delete(agent.state());
    await("it to be ready", agent::isReady);
    agent.kill();
    agent.startAgain();
    assertThat(agent.pidOf("first")).isEqualTo(first);
    assertThat(agent.status().path("unknownHolders")).isEmpty();
  }

  private void endAll() throws IOException {
    for (JsonNode holder : agent.status().path("unknownHolders")) {
      agent.remove(holder.path("uid").asString());
    }
    for (JsonNode pod : agent.status().path("pods")) {
      agent.remove(pod.path("name").asString());
    }
  }

  /** The processes in the agent's container groups that may run on a CPU, by the kernel alone. */
  private List<Long> onCpu(int cpu) throws IOException {
    Path v1 = Path.of("/sys/fs/cgroup/cpuset", agent.cgroup(), "pods");
    Path pods = Files.isDirectory(v1) ? v1 : Path.of("/sys/fs/cgroup", agent.cgroup(), "pods");
    List<Long> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(pods)) {
      for (Path group : all.filter(Files::isDirectory).toList()) {
        for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
          for (String line : Files.readAllLines(Path.of("/proc", pid, "status"))) {
            if (line.startsWith("Cpus_allowed_list:") && includes(line.split("\\s+", -1)[1], cpu)) {
              found.add(Long.parseLong(pid));
            }
          }
        }
      }
    }
    return found;
  }

  private static boolean includes(String list, int cpu) {
    for (String part : list.split(",", -1)) {
      String[] ends = part.split("-", -1);
      if (cpu >= Integer.parseInt(ends[0]) && cpu <= Integer.parseInt(ends[ends.length - 1])) {
        return true;
      }
    }
    return false;
  }

  private static void flipLastBit(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(bytes.length() - 10);
      int old = bytes.read();
      bytes.seek(bytes.length() - 10);
      bytes.write(old ^ 1);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    Files.setPosixFilePermissions(
        to, java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    for (String name : Set.copyOf(FILES)) {
      if (Files.exists(from.resolve(name))) {
        Files.copy(
            from.resolve(name),
            to.resolve(name),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) {
          delete(entry);
        }
      }
    }
    Files.deleteIfExists(folder);
  }
}
