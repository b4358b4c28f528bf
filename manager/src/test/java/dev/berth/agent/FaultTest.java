package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Disks and groups that cannot be written for a while: nothing is lost, and all works again. */
@Tag("slow")
class FaultTest {
  @TempDir private Path folder;
  private RealAgent agent;
  private long there;

  @BeforeEach
  void start() throws IOException {
    agent = RealAgent.startOnSmallDisk(folder, "--cpu-manager-reconcile-period", "300ms");
    agent.apply(pod("there", "{}", "sleep", "1000"));
    await("it to run", () -> agent.container("there", "app").has("pid"));
    there = agent.container("there", "app").path("pid").asLong();
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  private void theOtherIsUntouched() throws IOException {
    assertThat(allowed(there)).hasToString("0-1");
    assertThat(agent.container("there", "app").path("pid").asLong()).isEqualTo(there);
  }

  private void refused(String name, String reason, String word) throws IOException {
    JsonNode answer = agent.apply(pod(name, guaranteed(1), "sleep", "1000")).get(0);
    assertThat(answer.path("outcome").asString()).isEqualTo("refused");
    assertThat(answer.path("reason").asString()).isEqualTo(reason);
    assertThat(answer.path("message").asString()).contains(word).doesNotContain("\n");
    assertThat(agent.ask("GET", "/readyz", "")).contains(word).hasLineCount(1);
    assertThat(agent.ask("GET", "/healthz", "")).isEqualTo("ok\n");
    for (Path group : agent.groups()) {
      assertThat(group.resolve("pods/default_" + name)).doesNotExist();
    }
    theOtherIsUntouched();
  }

  private void worksAgain(String name) throws IOException {
    await("the agent to be ready again", agent::isReady);
    theOtherIsUntouched();
    JsonNode answer = agent.apply(pod(name, guaranteed(1), "sleep", "1000")).get(0);
    assertThat(answer.path("outcome").asString()).as(answer.toString()).isEqualTo("admitted");
    await(name + " to run", () -> agent.container(name, "app").has("pid"));
    assertThat(allowed(there)).hasToString("0");
    agent.remove(name);
    agent.remove("there");
    assertThat(agent.status().path("exclusive").asString()).isEmpty();
  }

  @Test
  void aFullDiskLetsNobodyInAndHurtsNobody() throws Exception {
    String filler = agent.state().resolve("filler").toString();
    agent.inside("dd if=/dev/zero of=" + filler + " bs=4k");
    refused("late", "StateUnwritable", "cannot be written: No space left on device");
    agent.inside("rm " + filler);
    worksAgain("late");
  }

  @Test
  void aReadOnlyDiskLetsNobodyInAndHurtsNobody() throws Exception {
    readOnly();
    refused("late", "StateUnwritable", "cannot be written: Read-only file system");
    assertThat(agent.inside("umount " + agent.state())).isZero();
    worksAgain("late");
  }

  @Test
  void aPodThatLeavesWhileTheDiskIsReadOnlyHoldsUpTheNextUntilThatIsWritten() throws Exception {
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    await("it to run", () -> agent.container("first", "app").has("pid"));
    readOnly();
    agent.remove("first");
    refused("next", "StateUnwritable", "cannot be written: Read-only file system");
    assertThat(agent.inside("umount " + agent.state())).isZero();
    worksAgain("next");
  }

  /** What is open stays so, as where a disk has failed: what is new cannot be made. */
  private void readOnly() throws IOException, InterruptedException {
    Path state = agent.state();
    assertThat(agent.inside("mount --bind " + state + " " + state)).isZero();
    assertThat(agent.inside("mount -o remount,bind,ro " + state)).isZero();
  }

  @Test
  void groupsThatCannotBeWrittenLetNobodyInAndHurtNobody() throws Exception {
    Path cpusets = Path.of("/sys/fs/cgroup/cpuset");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(cpusets), "needs cgroup v1");
    assertThat(agent.inside("mount -o remount,bind,ro " + cpusets)).isZero();
    refused("late", "GroupsUnwritable", "Read-only file system");
    assertThat(agent.inside("mount -o remount,bind,rw " + cpusets)).isZero();
    worksAgain("late");
  }
}
