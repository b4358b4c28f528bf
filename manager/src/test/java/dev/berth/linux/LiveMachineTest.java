package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveMachineTest {
  @TempDir private Path root;

  @Test
  void cpusThatAPartitionKeepsFromUsCountAllTheSame() {
    TreeBuilder.regular(root, 2, 2)
        .write("proc/sys/kernel/hostname", "node-7")
        .write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-1\n");
    assertThat(LiveMachine.here(root, CpuSet.EMPTY).discover().cpus()).hasToString("0-1");
    assertThat(LiveMachine.here(root, CpuSet.range(3, 7)).discover().cpus()).hasToString("0-1,3-7");
  }

  @Test
  void whatTheProcessIsKeptFromLaterStaysOfTheMachine() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 2);
    tree.write("proc/sys/kernel/hostname", "node-7")
        .write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-6\n");
    LiveMachine machine = LiveMachine.here(root, CpuSet.EMPTY);
    tree.write("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0\n");
    assertThat(machine.discover().cpus()).hasToString("0-6");
  }
}
