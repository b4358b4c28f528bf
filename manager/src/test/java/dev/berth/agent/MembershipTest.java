package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process stays in the cgroup of its container, whatever moves it. */
@Tag("slow")
class MembershipTest {
  @TempDir private Path folder;
  private RealAgent agent;

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

  /** The trees in which the agent has groups. */
  private List<Path> trees() throws IOException {
    List<Path> found = new ArrayList<>();
    Path top = Path.of("/sys/fs/cgroup");
    try (DirectoryStream<Path> trees = Files.newDirectoryStream(top)) {
      for (Path tree : trees) {
        if (Files.isDirectory(tree.resolve(agent.cgroup())) && !Files.isSymbolicLink(tree)) {
          found.add(tree);
        }
      }
    }
    if (Files.isDirectory(top.resolve(agent.cgroup()))) {
      found.add(top);
    }
    return found;
  }

  /** The folders of a group in each tree that it is in. */
  private List<Path> groups(String path) throws IOException {
    return trees().stream()
        .map(tree -> tree.resolve(agent.cgroup()).resolve(path))
        .filter(Files::isDirectory)
        .toList();
  }

  /** Moves a process to the topmost groups, as an administrator would. */
  private void moveOut(long pid) throws IOException {
    for (Path tree : trees()) {
      Files.writeString(tree.resolve("cgroup.procs"), String.valueOf(pid));
    }
  }

  @Test
  void aProcessThatIsMovedOutIsPutBackAndTold() throws IOException {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    long pid = agent.pidOf("alone");
    moveOut(pid);
    assertThat(allowed(pid)).as("it was moved out").isNotEqualTo(agent.cpusOf("alone"));
    await("it to be back", () -> allowed(pid).toString().equals("1"));
    await(
        "that to be told",
        () ->
            agent
                .ask("GET", "/events", "")
                .contains("process " + pid + " (sleep) was outside cgroup pods/default_alone/app"));
    assertThat(agent.ask("GET", "/metrics", "")).contains("\nberth_processes_put_back_total 1\n");
  }

  @Test
  void aDescendantWhoseParentHasEndedIsPutBackToo() throws Exception {
    Path told = folder.resolve("daemon");
    agent.apply(
        pod(
            "daemon",
            guaranteed(1),
            "sh",
            "-c",
            "(setsid sleep 1000 & echo $! >" + told + "); exec sleep 1000"));
    agent.pidOf("daemon");
    await("the daemon", () -> Files.exists(told) && !Files.readString(told).isBlank());
    long daemon = Long.parseLong(Files.readString(told).strip());
    await("it to be alone", () -> allowed(daemon).toString().equals("1"));
    agent.awaitPasses(2); // one of them sees it in its group
    moveOut(daemon);
    await("it to be back", () -> allowed(daemon).toString().equals("1"));
    assertThat(agent.ask("GET", "/events", "")).doesNotContain("\"foreign\"");
  }

  @Test
  void aGroupThatIsRemovedIsMadeAgainWithItsProcesses() throws IOException {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    long pid = agent.pidOf("alone");
    List<Path> groups = groups("pods/default_alone/app");
    moveOut(pid);
    for (Path group : groups) {
      remove(group);
    }
    await("it to be back", () -> allowed(pid).toString().equals("1"));
    await(
        "every tree",
        () -> {
          for (Path group : groups) {
            if (!Files.readAllLines(group.resolve("cgroup.procs")).contains(String.valueOf(pid))) {
              return false;
            }
          }
          return true;
        });
  }

  private static void remove(Path group) {
    try {
      Files.delete(group);
    } catch (IOException e) {
      // The agent was faster, and has put the process back.
      return;
    }
  }

  @Test
  void aForeignProcessIsToldAndLeft() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.pidOf("alone");
    Process foreign = new ProcessBuilder("sleep", "1000").start();
    try {
      List<Path> groups = groups("pods/default_alone/app");
      for (Path group : groups) {
        Files.writeString(group.resolve("cgroup.procs"), String.valueOf(foreign.pid()));
      }
      await(
          "it to be told",
          () ->
              agent
                  .ask("GET", "/events", "")
                  .contains("process " + foreign.pid() + " (sleep) is in cgroup"));
      assertThat(agent.ask("GET", "/metrics", "")).contains("\nberth_foreign_processes 1\n");
      assertThat(agent.ask("GET", "/readyz", ""))
          .contains("foreign process " + foreign.pid() + " in cgroup pods/default_alone/app");
      assertThat(agent.container("alone", "app").path("foreign").get(0).asLong())
          .isEqualTo(foreign.pid());
      assertThat(allowed(foreign.pid())).hasToString("1");
      assertThat(agent.ask("GET", "/events", "").split("process " + foreign.pid() + " ", -1))
          .as("told once")
          .hasSize(2);
      foreign.destroyForcibly().waitFor();
      await(
          "it to be gone",
          () -> agent.ask("GET", "/metrics", "").contains("\nberth_foreign_processes 0\n"));
    } finally {
      foreign.destroyForcibly().waitFor();
    }
  }

  @Test
  void aProcessBesideTheContainersIsForeign() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.pidOf("alone");
    Path cpuset = Path.of("/sys/fs/cgroup/cpuset", agent.cgroup(), "pods");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(cpuset), "needs cgroup v1");
    Process foreign = new ProcessBuilder("sleep", "1000").start();
    try {
      Files.writeString(cpuset.resolve("cgroup.procs"), String.valueOf(foreign.pid()));
      await(
          "it to be told",
          () ->
              agent
                  .ask("GET", "/events", "")
                  .contains("process " + foreign.pid() + " (sleep) is in cgroup pods "));
    } finally {
      foreign.destroyForcibly().waitFor();
    }
  }
}
