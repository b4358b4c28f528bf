package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Without groups: a process that cannot be taken from CPUs keeps their new owner out. */
@Tag("slow")
@Timeout(120)
class UnmovableProcessTest {
  private static final Path CPUSETS = Path.of("/sys/fs/cgroup/cpuset");

  /** A group of the test's own, whose CPUs are all that a process in it may be bound to. */
  private final Path trap = CPUSETS.resolve("berth-test-trap-" + ProcessHandle.current().pid());

  @TempDir private Path folder;
  private OtherUser user;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.isWritable(CPUSETS), "needs cpusets of version 1");
    user = OtherUser.in(folder);
    agent = RealAgent.startAs(user, "--cpu-manager-reconcile-period", "1h");
    Files.createDirectory(trap);
    Files.writeString(trap.resolve("cpuset.mems"), "0");
    Files.writeString(trap.resolve("cpuset.cpus"), "1");
  }

  @AfterEach
  void stop() throws IOException {
    if (user != null) {
      user.end();
    }
    if (agent != null) {
      agent.close();
    }
    if (Files.exists(trap)) {
      await("the group to be empty", () -> Files.readString(trap.resolve("tasks")).isEmpty());
      Files.delete(trap);
    }
  }

  @Test
  void thePodThatWasToHaveTheCpuIsRefusedUntilItIsFree() throws IOException {
    agent.apply(pod("stuck", "{}", "sleep", "1000"));
    long stuck = agent.pidOf("stuck");
    Files.writeString(trap.resolve("cgroup.procs"), String.valueOf(stuck));
    assertThat(allowed(stuck)).hasToString("1");

    JsonNode refused = agent.apply(pod("alone", guaranteed(1), "sleep", "1000")).path(0);

    assertThat(refused.toString())
        .contains("GroupsUnwritable", "CPUs 1 could not be taken from others first");
    assertThat(agent.pod("alone").path("phase").asString()).isEqualTo("Failed");
    assertThat(agent.container("alone", "app").has("pid")).isFalse();
    assertThat(agent.status().path("exclusive").asString()).isEmpty();
    assertThat(agent.container("stuck", "app").path("pid").asLong()).isEqualTo(stuck);

    Files.writeString(CPUSETS.resolve("cgroup.procs"), String.valueOf(stuck));
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    assertThat(allowed(agent.pidOf("alone"))).hasToString("1");
    assertThat(allowed(stuck)).hasToString("0");
  }
}
