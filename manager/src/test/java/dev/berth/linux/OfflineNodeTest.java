package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPUs that the kernel has switched on while their NUMA node is offline, and unstated switches. */
class OfflineNodeTest {
  private static final String CPU = "sys/devices/system/cpu/";
  private static final String NODE = "sys/devices/system/node/";

  @TempDir Path root;

  /** Two sockets of two cores; node 0 is offline, its CPUs are not. */
  private TreeBuilder withoutNode0() {
    return TreeBuilder.regular(root, 2, 2)
        .write(NODE + "possible", "0-1")
        .write(NODE + "online", "1")
        .write(NODE + "node1/distance", "10")
        .deleteFolder(NODE + "node0");
  }

  @Test
  void cpusOfAnOfflineNodeAreLeftOutAndSaid() {
    withoutNode0();
    Machine machine = Sysfs.discover(root);
    assertThat(machine.cpus()).isEqualTo(CpuSet.parse("4-7"));
    assertThat(machine.offline()).isEqualTo(CpuSet.EMPTY);
    assertThat(machine.domains(Level.SOCKET)).hasSize(1);
    assertThat(machine.domains(Level.CACHE)).hasSize(1);
    assertThat(machine.notes())
        .containsExactly(
            "CPUs 0-3 are left out: their NUMA node is offline (online are 1, offline 0)");
  }

  /** As some kernels show it: a number for the node that is offline, too. */
  @Test
  void distancesOfOfflineNodesArePassedOver() {
    TreeBuilder.regular(root, 3, 1)
        .write(NODE + "possible", "0-2")
        .write(NODE + "online", "1-2")
        .write(NODE + "node1/distance", "21 10 31")
        .write(NODE + "node2/distance", "41 32 10")
        .deleteFolder(NODE + "node0");
    Machine machine = Sysfs.discover(root);
    assertThat(machine.distances().between(1, 2)).isEqualTo(31);
    assertThat(machine.distances().between(2, 1)).isEqualTo(32);
  }

  @Test
  void aCpuInNoNodeIsAFaultWhereNoNodeIsOffline() {
    withoutNode0().write(NODE + "possible", "1");
    assertThatThrownBy(() -> Sysfs.discover(root))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith(
            "node: expected CPU 0 in the cpulist of a node, found it in none of 1");
  }

  @Test
  void aMachineWithoutAnyCpuOnAnOnlineNodeIsRefused() {
    withoutNode0().write(NODE + "node1/cpulist", "");
    assertThatThrownBy(() -> Sysfs.discover(root))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("node/online: expected a node with a usable CPU, found 1");
  }

  /** Itanium's kernels show a switch for CPU 0 that says nothing. */
  @Test
  void aCpuWhoseSwitchIsEmptyIsOn() {
    TreeBuilder.regular(root, 1, 2)
        .delete(CPU + "online", CPU + "present")
        .cpu("cpu0/online", "")
        .cpu("cpu1/online", "1")
        .cpu("cpu2/online", "0");
    Machine machine = Sysfs.discover(root);
    assertThat(machine.cpus()).isEqualTo(CpuSet.of(0, 1, 3));
    assertThat(machine.offline()).isEqualTo(CpuSet.of(2));
  }
}
