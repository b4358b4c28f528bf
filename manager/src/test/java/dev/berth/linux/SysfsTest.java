package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NodeMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsTest {
  private static final String CPUS = "sys/devices/system/cpu/";
  private static final String NODES = "sys/devices/system/node/";

  @TempDir Path root;

  private static List<String> sets(Machine machine, Level level) {
    return machine.domains(level).stream().map(place -> place.id() + "=" + place.cpus()).toList();
  }

  @Test
  void readsSocketsNodesCachesAndCores() {
    TreeBuilder.regular(root, 2, 2);
    Machine machine = Sysfs.discover(root);
    assertThat(machine.cpus()).isEqualTo(CpuSet.range(0, 7));
    assertThat(sets(machine, Level.SOCKET)).containsExactly("0=0-3", "1=4-7");
    assertThat(sets(machine, Level.NODE)).containsExactly("0=0-3", "1=4-7");
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=0-3", "1=4-7");
    assertThat(sets(machine, Level.CORE)).containsExactly("0=0-1", "2=2-3", "4=4-5", "6=6-7");
    assertThat(machine.distances().between(0, 1)).isEqualTo(21);
    assertThat(machine.nodes().getFirst().memory()).isEqualTo(NodeMemory.of(1L << 30, Map.of()));
    assertThat(machine.name()).isEqualTo(root.getFileName().toString());
    assertThat(machine.notes()).isEmpty();
    assertThat(machine.dies()).isEmpty();
    assertThat(machine.clusters()).isEmpty();
    assertThat(machine.kinds()).isEmpty();
  }

  @Test
  void aFolderMayBeTheSysTreeItself() {
    TreeBuilder.regular(root, 1, 2);
    Machine machine = Sysfs.discover(root.resolve("sys"));
    assertThat(machine).isEqualTo(Sysfs.discover(root));
    assertThat(machine.name()).isEqualTo(root.getFileName().toString());
  }

  @Test
  void cachesWithoutAnIdAreNamedByTheirLowestCpu() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 2);
    for (int cpu = 0; cpu < 8; cpu++) {
      tree.delete(CPUS + "cpu" + cpu + "/cache/index3/id");
    }
    assertThat(sets(Sysfs.discover(root), Level.CACHE)).containsExactly("0=0-3", "4=4-7");
  }

  @Test
  void anIdThatTwoCachesShareIsNotUsedAndSaid() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 2);
    for (int cpu = 0; cpu < 8; cpu++) {
      tree.cache(cpu, 3, "id", "5");
    }
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=0-3", "4=4-7");
    assertThat(machine.notes())
        .containsExactly("an L3 id stands for several caches: each is named by its lowest CPU");
  }

  @Test
  void theL3IsFoundByItsLevelNotByItsFolder() {
    TreeBuilder tree = TreeBuilder.regular(root, 1, 2);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.deleteFolder(CPUS + "cpu" + cpu + "/cache");
      tree.cache(cpu, 0, "level", "1").cache(cpu, 0, "shared_cpu_list", String.valueOf(cpu));
      tree.cache(cpu, 1, "level", "3").cache(cpu, 1, "id", "7");
      tree.cache(cpu, 1, "shared_cpu_map", "0000000f");
    }
    assertThat(sets(Sysfs.discover(root), Level.CACHE)).containsExactly("7=0-3");
  }

  @Test
  void withoutAnL3TheSocketIsTheCache() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.deleteFolder(CPUS + "cpu" + cpu + "/cache");
    }
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.CACHE)).isEqualTo(sets(machine, Level.SOCKET));
    assertThat(machine.notes()).containsExactly("no L3 cache: each socket counts as one");
  }

  @Test
  void coresOutsideTheL3ShareAPlaceOfTheirOwn() {
    TreeBuilder tree = TreeBuilder.regular(root, 1, 3);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.cache(cpu, 3, "shared_cpu_list", "0-3").cache(cpu, 3, "id", "4");
    }
    tree.deleteFolder(CPUS + "cpu4/cache").deleteFolder(CPUS + "cpu5/cache");
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=0-3", "4=4-5");
    assertThat(machine.notes()).singleElement().asString().startsWith("CPUs 4-5 have no L3 cache");
  }

  @Test
  void withoutNumaThereIsOneNodeWithAllMemory() {
    TreeBuilder.regular(root, 2, 1)
        .deleteFolder("sys/devices/system/node")
        .write("proc/meminfo", "MemTotal:        2097152 kB\nMemFree: 1 kB")
        .write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "12");
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.NODE)).containsExactly("0=0-3");
    assertThat(machine.nodes().getFirst().memory())
        .isEqualTo(NodeMemory.of(2L << 30, Map.of(2048L, 12L)));
    assertThat(machine.notes()).containsExactly("no NUMA: one node, 0");
  }

  @Test
  void anOfflineThreadIsLeftOutOfItsCore() {
    TreeBuilder.regular(root, 1, 2)
        .cpu("online", "1-3")
        .deleteFolder(CPUS + "cpu0/topology")
        .deleteFolder(CPUS + "cpu0/cache");
    Machine machine = Sysfs.discover(root);
    assertThat(machine.offline()).isEqualTo(CpuSet.of(0));
    assertThat(sets(machine, Level.CORE)).containsExactly("1=1", "2=2-3");
    assertThat(sets(machine, Level.CACHE)).containsExactly("0=1-3");
  }

  @Test
  void cpusThatCouldBePluggedInLaterAreNotOffline() {
    TreeBuilder.regular(root, 1, 2).cpu("possible", "0-63").cpu("offline", "4-63");
    assertThat(Sysfs.discover(root).offline()).isEqualTo(CpuSet.EMPTY);
  }

  @Test
  void kernelsWithoutListsAreReadByFoldersAndMasks() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    tree.delete(CPUS + "online", CPUS + "present", NODES + "online");
    for (int cpu = 0; cpu < 4; cpu++) {
      String pair = TreeBuilder.hex(CpuSet.of(cpu & ~1, cpu | 1));
      tree.delete(CPUS + "cpu" + cpu + "/topology/core_cpus_list")
          .delete(CPUS + "cpu" + cpu + "/topology/package_cpus_list")
          .delete(CPUS + "cpu" + cpu + "/cache/index3/shared_cpu_list")
          .topology(cpu, "thread_siblings", "00000000,0000000" + pair)
          .topology(cpu, "core_siblings", "0000000" + pair)
          .cache(cpu, 3, "shared_cpu_map", pair);
    }
    for (int node = 0; node < 2; node++) {
      tree.delete(NODES + "node" + node + "/cpulist")
          .write(NODES + "node" + node + "/cpumap", node == 0 ? "3" : "c");
    }
    tree.cpu("cpu1/online", "0");
    Machine machine = Sysfs.discover(root);
    assertThat(machine.cpus()).isEqualTo(CpuSet.of(0, 2, 3));
    assertThat(machine.offline()).isEqualTo(CpuSet.of(1));
    assertThat(sets(machine, Level.CORE)).containsExactly("0=0", "2=2-3");
    assertThat(sets(machine, Level.NODE)).containsExactly("0=0", "1=2-3");
  }

  @Test
  void aKernelThatKnowsNoPackagesGivesOneSocket() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.topology(cpu, "physical_package_id", "-1");
    }
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.SOCKET)).containsExactly("0=0-3");
    assertThat(machine.notes())
        .containsExactly(
            "the kernel does not tell packages (physical_package_id is -1): one socket, 0");
  }

  @Test
  void packagesOfSeveralBooksWithOneNumberAreToldApart() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.topology(cpu, "physical_package_id", "1")
          .topology(cpu, "book_id", String.valueOf(cpu / 2));
    }
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.SOCKET)).containsExactly("0=0-1", "2=2-3");
    assertThat(machine.notes()).singleElement().asString().contains("books or drawers");
  }

  @Test
  void nodesHaveGapsGoPast64AndMayHaveNoCpus() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    tree.deleteFolder(NODES + "node1").node(72, "2-3").node(130, "");
    tree.write(NODES + "online", "0,72,130")
        .write(NODES + "node0/distance", "10 20 40")
        .write(NODES + "node72/distance", "20 10 40")
        .write(NODES + "node130/distance", "40 40 10")
        .write(NODES + "node72/hugepages/hugepages-1048576kB/nr_hugepages", "3")
        .write(NODES + "node72/hugepages/hugepages-2048kB/nr_hugepages", "0");
    Machine machine = Sysfs.discover(root);
    assertThat(sets(machine, Level.NODE)).containsExactly("0=0-1", "72=2-3");
    assertThat(machine.nodes().stream().map(node -> node.id() + "=" + node.cpus()))
        .containsExactly("0=0-1", "72=2-3", "130=");
    assertThat(machine.distances().between(72, 130)).isEqualTo(40);
    assertThat(machine.nodes().get(1).memory().hugepages())
        .isEqualTo(Map.of(1048576L, 3L, 2048L, 0L));
  }

  @Test
  void intelsKindsOfCoreAreNamed() {
    TreeBuilder.regular(root, 1, 2)
        .write("sys/devices/cpu_core/cpus", "0-1")
        .write("sys/devices/cpu_atom/cpus", "2-3")
        .cpu("cpu0/cpu_capacity", "1024")
        .cpu("cpu2/cpu_capacity", "600");
    assertThat(Sysfs.discover(root).kinds())
        .containsExactly(
            new CoreKind("performance", CpuSet.of(0, 1), 1024),
            new CoreKind("efficiency", CpuSet.of(2, 3), 600));
  }

  @Test
  void kindsMayStandUnderTypes() {
    TreeBuilder.regular(root, 1, 2)
        .cpu("types/intel_atom_0/cpulist", "2-3")
        .cpu("types/intel_core_0/cpulist", "0-1");
    assertThat(Sysfs.discover(root).kinds().stream().map(CoreKind::name))
        .containsExactly("performance", "efficiency");
  }

  @Test
  void otherKindsOfCoreAreToldByCapacityTheStrongestFirst() {
    TreeBuilder tree = TreeBuilder.regular(root, 1, 2);
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.cpu("cpu" + cpu + "/cpu_capacity", cpu < 2 ? "430" : "1024");
    }
    assertThat(Sysfs.discover(root).kinds())
        .containsExactly(
            new CoreKind("capacity 1024", CpuSet.of(2, 3), 1024),
            new CoreKind("capacity 430", CpuSet.of(0, 1), 430));
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.cpu("cpu" + cpu + "/cpu_capacity", "1024");
    }
    assertThat(Sysfs.discover(root).kinds()).isEmpty();
  }

  @Test
  void diesAndClustersAreToldWhereTheySayMoreThanSocketsAndCores() {
    TreeBuilder tree = TreeBuilder.regular(root, 1, 4);
    for (int cpu = 0; cpu < 8; cpu++) {
      int half = cpu / 4 * 4;
      tree.topology(cpu, "die_id", String.valueOf(cpu / 4))
          .topology(cpu, "die_cpus_list", half + "-" + (half + 3))
          .topology(cpu, "cluster_id", "9")
          .topology(cpu, "cluster_cpus_list", half + "-" + (half + 3));
    }
    Machine machine = Sysfs.discover(root);
    assertThat(machine.dies())
        .containsExactly(new Domain(0, CpuSet.range(0, 3)), new Domain(1, CpuSet.range(4, 7)));
    assertThat(machine.clusters())
        .containsExactly(new Domain(0, CpuSet.range(0, 3)), new Domain(4, CpuSet.range(4, 7)));
  }

  @Test
  void onTheMachineItselfWhatTheProcessMayNotUseIsLeftOutAndSaid() {
    TreeBuilder.regular(root, 2, 2)
        .cpu("isolated", "2,6")
        .write("proc/sys/kernel/hostname", "node-7")
        .write("proc/self/status", "Name:\tjava\nCpus_allowed:\t07\nCpus_allowed_list:\t0-2,9\n");
    Machine machine = Sysfs.here(root);
    assertThat(machine.name()).isEqualTo("node-7");
    assertThat(machine.cpus()).isEqualTo(CpuSet.range(0, 2));
    assertThat(machine.isolated()).isEqualTo(CpuSet.of(2));
    assertThat(sets(machine, Level.CORE)).containsExactly("0=0-1", "2=2");
    assertThat(machine.nodes()).hasSize(2);
    assertThat(machine.notes())
        .containsExactly(
            "CPUs 3-7 are left out: this process may only use 0-2"
                + " (Cpus_allowed_list in /proc/self/status)");
    assertThat(Sysfs.discover(root).cpus()).isEqualTo(CpuSet.range(0, 7));
  }

  @Test
  void thisMachineCanBeDiscovered() {
    Machine machine = Sysfs.here();
    assertThat(machine.cpus().size()).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void aHoleIsOneLineWithTheFile() {
    TreeBuilder tree = TreeBuilder.regular(root, 2, 1);
    assertHole(
        () -> tree.delete(CPUS + "cpu2/topology/core_cpus_list"),
        CPUS + "cpu2/topology/core_cpus_list: expected a list of CPUs, found no such file");
    tree.topology(2, "core_cpus_list", "2-3");
    assertHole(
        () -> tree.topology(2, "core_cpus_list", "3-x"),
        CPUS
            + "cpu2/topology/core_cpus_list: cpuset \"3-x\": expected a number at column 3, found"
            + " \"x\"");
    assertHole(
        () -> tree.topology(2, "core_cpus_list", "0-1"),
        CPUS + "cpu2/topology/core_cpus_list: expected a set with CPU 2, found \"0-1\"");
    tree.topology(2, "core_cpus_list", "2-3");
    assertHole(
        () -> tree.delete(CPUS + "cpu2/topology/physical_package_id"),
        CPUS + "cpu2/topology/physical_package_id: expected a number, found no such file");
    assertHole(
        () -> tree.topology(2, "physical_package_id", "one"),
        CPUS + "cpu2/topology/physical_package_id: expected a number, found \"one\"");
    tree.topology(2, "physical_package_id", "1");
    assertHole(
        () -> tree.cache(2, 3, "shared_cpu_list", ""),
        CPUS + "cpu2/cache/index3/shared_cpu_list: expected a set with CPU 2, found \"\"");
    tree.cache(2, 3, "shared_cpu_list", "2-3");
    assertHole(
        () -> tree.write(NODES + "node1/distance", "21"),
        NODES + "node1/distance: expected 2 numbers above 0, found \"21\"");
    assertHole(
        () -> tree.delete(NODES + "node1/distance"),
        NODES + "node1/distance: expected 2 numbers, found no such file");
    tree.write(NODES + "node1/distance", "21 10");
    assertHole(
        () -> tree.write(NODES + "node1/meminfo", "Node 1 MemTotal: lots"),
        NODES
            + "node1/meminfo: expected a line with MemTotal: and a number of kB, found"
            + " \"Node 1 MemTotal: lots\"");
    tree.write(NODES + "node1/meminfo", "Node 1 MemTotal: 4 kB");
    assertHole(
        () -> tree.write(NODES + "node1/cpulist", "3"),
        NODES.substring(0, NODES.length() - 1)
            + ": expected CPU 2 in the cpulist of a node, found it in none of 0-1");
    assertHole(
        () -> tree.write(NODES + "node1/cpulist", "1-3"),
        NODES + "node1/cpulist: expected CPU 1 in one node, found it in node 0 too");
    tree.write(NODES + "node1/cpulist", "2-3");
    assertHole(
        () -> tree.delete(NODES + "node1/cpulist"),
        NODES + "node1/cpulist: expected a list of CPUs, found no such file");
    tree.write(NODES + "node1/cpulist", "2-3");
    assertHole(
        () -> tree.cpu("online", ""), CPUS + "online: expected at least one CPU, found none");
  }

  private void assertHole(Runnable change, String message) {
    change.run();
    assertThatThrownBy(() -> Sysfs.discover(root))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("sysfs " + root + "/" + message);
  }

  @Test
  void aTreeOf512CpusIsReadWhole() {
    TreeBuilder.regular(root, 2, 128);
    assertThat(Sysfs.discover(root).cpus().size()).isEqualTo(512);
  }

  @Test
  void aFolderWithoutATreeIsRefused() {
    assertThatThrownBy(() -> Sysfs.discover(root))
        .hasMessage(
            "sysfs " + root + ": expected a folder with sys/devices/system/cpu in it, found none");
    assertThatThrownBy(() -> Sysfs.discover(root.resolve("absent")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("found no folder");
  }
}
