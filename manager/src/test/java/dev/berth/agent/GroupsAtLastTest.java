package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.ProcessId;
import dev.berth.linux.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent without groups, and after it one that has them. */
@Tag("slow")
@Timeout(120)
class GroupsAtLastTest {
  /** The machine as it looks where no cgroups are mounted, to this process and what it starts. */
  private static final List<String> WITHOUT_GROUPS =
      List.of("unshare", "-m", "sh", "-c", "umount -R /sys/fs/cgroup && exec \"$@\"", "sh");

  @TempDir private Path folder;

  private static long pid(RealAgent agent, String pod) throws IOException {
    await(pod + " to run", () -> agent.container(pod, "app").has("pid"));
    return agent.container(pod, "app").path("pid").asLong();
  }

  private static void allMayRunOn(SortedSet<Long> processes, String cpus) {
    await(
        processes + " to be on CPUs " + cpus,
        () -> {
          for (long process : processes) {
            if (!allowed(process).toString().equals(cpus)) {
              return false;
            }
          }
          return true;
        });
  }

  @Test
  void thoseOfTheFirstAreInGroupsAndNoLongerBoundByTheirMasks() throws Exception {
    RealAgent.assumeRealGroups();
    try (RealAgent agent =
        RealAgent.startBehind(folder, WITHOUT_GROUPS, "--cpu-manager-reconcile-period", "1h")) {
      assertThat(agent.groups()).isEmpty();
      agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
      agent.apply(pod("family", "{}", "sh", "-c", "sleep 1000 & sleep 1000 & wait"));
      long alone = pid(agent, "alone");
      ProcessId first = ProcessId.of(pid(agent, "family")).orElseThrow();
      await("the family", () -> ProcessTree.of(first).size() == 3);
      SortedSet<Long> family = ProcessTree.of(first);
      allMayRunOn(family, "0");
      agent.kill();

      agent.before();
      agent.startAgain();

      await("the family to be in its group", () -> isIn(agent, family, "default_family"));
      assertThat(Files.readString(Path.of("/proc/" + alone + "/cgroup"))).contains("default_alone");
      assertThat(allowed(alone)).hasToString("1");
      agent.remove("alone");
      allMayRunOn(family, "0-1");
      agent.remove("family");
      assertThat(ProcessTree.of(first)).isEmpty();
    }
  }

  private static boolean isIn(RealAgent agent, SortedSet<Long> processes, String pod)
      throws IOException {
    String group = agent.cgroup() + "/pods/" + pod + "/app";
    for (long process : processes) {
      if (!Files.readString(Path.of("/proc/" + process + "/cgroup")).contains(group)) {
        return false;
      }
    }
    return true;
  }
}
