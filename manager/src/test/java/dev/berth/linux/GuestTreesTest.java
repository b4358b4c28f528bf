package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.testing.Archive;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees of virtual machines whose shape was asked for on QEMU's command line. */
class GuestTreesTest {
  @TempDir Path folder;

  private Machine guest(String name) throws IOException {
    String file = "guest-" + name + ".tar.gz";
    try (InputStream archive = getClass().getResourceAsStream(file)) {
      Archive.unpackGzip(Objects.requireNonNull(archive, file), folder);
    }
    return Sysfs.discover(folder);
  }

  /**
   * CPUs counted along sockets, dies, cores and threads; a die has one L3, a core {@code threads}
   * CPUs.
   */
  private static void assertShape(Machine machine, int sockets, int dies, int cores, int threads) {
    int perDie = cores * threads;
    int total = sockets * dies * perDie;
    assertThat(machine.cpus()).isEqualTo(CpuSet.range(0, total - 1));
    assertEqualParts(machine, Level.SOCKET, total / sockets);
    assertEqualParts(machine, Level.CACHE, perDie);
    assertEqualParts(machine, Level.CORE, threads);
    assertThat(machine.dies().stream().map(die -> die.cpus().toString()))
        .isEqualTo(machine.domains(Level.CACHE).stream().map(l3 -> l3.cpus().toString()).toList());
  }

  private static void assertEqualParts(Machine machine, Level level, int size) {
    assertThat(machine.domains(level)).hasSize(machine.cpus().size() / size);
    for (int i = 0; i < machine.domains(level).size(); i++) {
      assertThat(machine.domains(level).get(i).cpus())
          .isEqualTo(CpuSet.range(i * size, (i + 1) * size - 1));
    }
  }

  private static void assertDistances(Machine machine, int nodes, int perSocket) {
    for (int a = 0; a < nodes; a++) {
      for (int b = 0; b < nodes; b++) {
        int expected = a == b ? 10 : a / perSocket == b / perSocket ? 12 : 32;
        assertThat(machine.distances().between(a, b)).isEqualTo(expected);
      }
    }
  }

  @Test
  void fourNodes() throws IOException {
    Machine machine = guest("four-nodes");
    assertShape(machine, 2, 2, 4, 2);
    assertEqualParts(machine, Level.NODE, 8);
    assertDistances(machine, 4, 2);
    assertMemory(machine, 512);
  }

  @Test
  void eightNodes() throws IOException {
    Machine machine = guest("eight-nodes");
    assertShape(machine, 2, 4, 2, 2);
    assertEqualParts(machine, Level.NODE, 4);
    assertDistances(machine, 8, 4);
    assertMemory(machine, 256);
  }

  @Test
  void sixteenCaches() throws IOException {
    Machine machine = guest("sixteen-caches");
    assertThat(machine.domains(Level.CACHE)).hasSize(16);
    assertThat(machine.domains(Level.CORE)).hasSize(16);
    assertThat(machine.domains(Level.SOCKET)).hasSize(1);
    assertEqualParts(machine, Level.CACHE, 2);
    assertEqualParts(machine, Level.NODE, 32);
    assertMemory(machine, 1024);
  }

  @Test
  void sixteenCachesOf8Cpus() throws IOException {
    Machine machine = guest("sixteen-caches-128");
    assertShape(machine, 1, 16, 4, 2);
    assertEqualParts(machine, Level.NODE, 128);
    assertMemory(machine, 1536);
  }

  @Test
  void isolatedCpusHugepagesAndANodeWithoutCpus() throws IOException {
    Machine machine = guest("isolated-hugepages-cpuless");
    assertShape(machine, 2, 2, 4, 2);
    assertEqualParts(machine, Level.NODE, 8);
    assertThat(machine.isolated()).isEqualTo(CpuSet.of(4, 5));
    assertThat(machine.nodes().stream().map(NumaNode::id)).containsExactly(0, 1, 2, 3, 4);
    assertThat(machine.nodes().get(4).cpus()).isEqualTo(CpuSet.EMPTY);
    assertThat(machine.nodes().get(4).memory().bytes()).isEqualTo(256532L << 10);
    assertThat(machine.nodes().get(0).memory().hugepages())
        .isEqualTo(Map.of(2048L, 8L, 1048576L, 0L));
    assertThat(machine.nodes().get(1).memory().hugepages())
        .isEqualTo(Map.of(2048L, 16L, 1048576L, 0L));
    assertThat(machine.distances().row(4)).startsWith(40).endsWith(10);
  }

  /** The kernel keeps a part for itself, so a node shows somewhat less than QEMU gave it. */
  private static void assertMemory(Machine machine, int mebibytes) {
    long given = (long) mebibytes << 20;
    for (NumaNode node : machine.nodes()) {
      assertThat(node.memory().bytes()).isBetween(given * 8 / 10, given);
    }
  }
}
