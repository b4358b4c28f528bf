package dev.berth.topology;

import dev.berth.cpu.CpuSet;
import java.util.List;
import java.util.Map;

/** The machines that {@link Machines} knows. */
final class Catalogue {
  private static final String KEP_4800 = "KEP-4800, unit tests";
  private static final String AMD = "AMD's product pages; ";

  /**
   * Distances in a socket and to another one. Those between sockets are published (for AMD in
   * egandro/proxmox-cpu-affinity#58, for Intel in argonne-lcf/user-guides#756); 12 is what nodes of
   * one socket usually have.
   */
  private static final int AMD_NEAR = 12;

  private static final int AMD_FAR = 32;
  private static final int INTEL_NEAR = 12;
  private static final int INTEL_FAR = 21;

  /** A common measure for servers; real ones differ from box to box. */
  private static final long GIBIBYTES_A_CORE = 4;

  /** What the benchmark's machines have, whatever their maker. */
  private static final int BENCH_NEAR = 12;

  private static final int BENCH_FAR = 32;

  static final List<KnownMachine> MACHINES =
      List.of(
          regular(
              "laptop-2-core",
              "laptop, 2 cores with 2 threads, one L3 (Intel Core i5-7200U)",
              "Intel ARK, i5-7200U",
              "pack:1 node:1 l3:1 core:2 pu:2(indexes=core)"),
          new KnownMachine(
              "i7-12850hx",
              "Intel Core i7-12850HX, 8 performance cores with 2 threads, 8 efficiency cores",
              KEP_4800 + "; Intel ARK, i7-12850HX",
              Catalogue::hybrid),
          twoSockets(
              "xeon-8490h-2p-snc4",
              "2 Intel Xeon Platinum 8490H, sub-NUMA clustering: 4 nodes share each socket's L3",
              KEP_4800 + "; Intel ARK, Xeon Platinum 8490H",
              "pack:2 l3:1 node:4 core:15 pu:2(indexes=core)",
              INTEL_NEAR,
              INTEL_FAR),
          twoSockets(
              "xeon-8490h-2p-snc4-split",
              "2 Intel Xeon Platinum 8490H as the benchmark models it: each of 8 nodes has an L3 of"
                  + " its own",
              "the workload fill/xeon-8490h-2p-snc4 of berth bench",
              "pack:2 node:4 l3:1 core:15 pu:2(indexes=core)",
              BENCH_NEAR,
              BENCH_FAR),
          regular(
              "epyc-7702p",
              "AMD EPYC 7702P, 64 cores with 2 threads, 16 L3 of 4 cores, NPS1",
              AMD + KEP_4800,
              "pack:1 node:1 l3:16 core:4 pu:2(indexes=core)"),
          regular(
              "epyc-7702p-smt-off",
              "AMD EPYC 7702P with SMT off, 64 cores, 16 L3 of 4 cores, NPS1",
              AMD + KEP_4800,
              "pack:1 node:1 l3:16 core:4 pu:1"),
          regular(
              "epyc-7702p-l3-as-numa",
              "AMD EPYC 7702P with every L3 a NUMA node: 16 nodes of 4 cores with 2 threads",
              AMD
                  + "KEP-4800, last-level cache as NUMA; distances not published, the kernel's"
                  + " default",
              "pack:1 node:16 l3:1 core:4 pu:2(indexes=core)"),
          twoSockets(
              "epyc-7303-2p",
              "2 AMD EPYC 7303, 16 cores each with 2 threads, 4 L3 of 4 cores a socket, NPS1",
              AMD + KEP_4800,
              "pack:2 node:1 l3:4 core:4 pu:2(indexes=core)",
              AMD_NEAR,
              AMD_FAR),
          twoSockets(
              "epyc-7303-2p-smt-off",
              "2 AMD EPYC 7303 with SMT off, 16 cores each, 4 L3 of 4 cores a socket, NPS1",
              AMD + KEP_4800,
              "pack:2 node:1 l3:4 core:4 pu:1",
              AMD_NEAR,
              AMD_FAR),
          regular(
              "epyc-9754",
              "AMD EPYC 9754, 128 cores with 2 threads, 16 L3 of 8 cores, NPS1",
              AMD + KEP_4800,
              "pack:1 node:1 l3:16 core:8 pu:2(indexes=core)"),
          regular(
              "epyc-9654-2p-nps0",
              "2 AMD EPYC 9654 with 2 threads a core, NPS0: both sockets in one NUMA node",
              AMD + "KEP-4800, NPS0",
              "node:1 pack:2 l3:12 core:8 pu:2(indexes=core)"),
          twoSockets(
              "epyc-9654-2p-nps2",
              "2 AMD EPYC 9654, 96 cores each with 2 threads, 2 nodes of 6 L3 of 8 cores a socket",
              AMD + KEP_4800,
              "pack:2 node:2 l3:6 core:8 pu:2(indexes=core)",
              AMD_NEAR,
              AMD_FAR),
          twoSockets(
              "epyc-9654-2p-nps2-smt-off",
              "2 AMD EPYC 9654 with SMT off, 96 cores each, 2 nodes of 6 L3 of 8 cores a socket",
              AMD + KEP_4800,
              "pack:2 node:2 l3:6 core:8 pu:1",
              AMD_NEAR,
              AMD_FAR),
          twoSockets(
              "epyc-9654-2p-nps4",
              "2 AMD EPYC 9654, 96 cores each with 2 threads, 4 nodes of 3 L3 of 8 cores a socket",
              AMD + "AMD, EPYC 9004 BIOS and workload tuning guide (NPS)",
              "pack:2 node:4 l3:3 core:8 pu:2(indexes=core)",
              AMD_NEAR,
              AMD_FAR),
          twoSockets(
              "epyc-9755-2p",
              "2 AMD EPYC 9755, 128 cores each with 2 threads, 16 L3 of 8 cores a socket, NPS1",
              AMD + "EPYC 9005 series",
              "pack:2 node:1 l3:16 core:8 pu:2(indexes=core)",
              AMD_NEAR,
              AMD_FAR),
          regular(
              "ampere-altra-128",
              "Ampere Altra Max, 128 cores without SMT, 16 L3 of 8 cores as KEP-4800 counts them",
              KEP_4800,
              "pack:1 node:1 l3:16 core:8 pu:1"),
          regular(
              "graviton3",
              "AWS Graviton3, 64 cores without SMT, one L3, one NUMA node",
              KEP_4800 + "; AWS Graviton Getting Started",
              "pack:1 node:1 l3:1 core:64 pu:1"),
          new KnownMachine(
              "grace-blackwell",
              "NVIDIA GB200, 2 Grace of 72 cores, 34 NUMA nodes of which 2 have CPUs",
              "kubernetes/kubernetes#135581; NVIDIA's GB200 data sheet; distances not published,"
                  + " the kernel's default",
              Catalogue::graceBlackwell),
          regular(
              "kep-4800-16-core",
              "KEP-4800's example of a partial cache: 16 cores without SMT, 2 L3 of 8 cores",
              "KEP-4800, takePartialUncore",
              "pack:1 node:1 l3:2 core:8 pu:1"),
          regular(
              "kep-4800-32-core",
              "KEP-4800's example of full and partial caches: 32 cores without SMT, 4 L3 of 8"
                  + " cores",
              "KEP-4800, design details",
              "pack:1 node:1 l3:4 core:8 pu:1"));

  private Catalogue() {}

  private static KnownMachine regular(String name, String description, String source, String spec) {
    return new KnownMachine(name, description, source, () -> describe(name, spec).build());
  }

  private static KnownMachine twoSockets(
      String name, String description, String source, String spec, int near, int far) {
    return new KnownMachine(
        name,
        description,
        source,
        () -> {
          int nodes = Synthetic.parse(spec).nodes().size();
          return describe(name, spec).distances(twoSocketDistances(nodes, near, far)).build();
        });
  }

  /**
   * The machine of a spec with memory for its cores, which a spec would have to repeat at every
   * node.
   */
  private static MachineBuilder describe(String name, String spec) {
    Machine plain = Synthetic.parse(spec);
    MachineBuilder builder = Synthetic.describe(name, spec);
    for (NumaNode node : plain.nodes()) {
      long cores =
          plain.domains(Level.CORE).stream()
              .filter(core -> core.cpus().isSubsetOf(node.cpus()))
              .count();
      builder.memory(node.id(), gibibytes(cores * GIBIBYTES_A_CORE));
    }
    return builder;
  }

  private static int[][] twoSocketDistances(int nodes, int near, int far) {
    int[][] rows = new int[nodes][nodes];
    int perSocket = nodes / 2;
    for (int a = 0; a < nodes; a++) {
      for (int b = 0; b < nodes; b++) {
        rows[a][b] = a == b ? Distances.LOCAL : a / perSocket == b / perSocket ? near : far;
      }
    }
    return rows;
  }

  /** Threads of a performance core are neighbours; the efficiency cores come after, 4 to an L2. */
  private static Machine hybrid() {
    MachineBuilder builder =
        Machine.builder("i7-12850hx").memory(0, gibibytes(16 * GIBIBYTES_A_CORE));
    for (int cpu = 0; cpu < 16; cpu++) {
      builder.cpu(cpu, cpu & ~1, 0, 0, 0);
      builder.cluster(cpu & ~1, CpuSet.range(cpu & ~1, cpu | 1));
    }
    for (int cpu = 16; cpu < 24; cpu++) {
      builder.cpu(cpu, cpu, 0, 0, 0);
    }
    return builder
        .cluster(16, CpuSet.range(16, 19))
        .cluster(20, CpuSet.range(20, 23))
        .kind(new CoreKind("performance", CpuSet.range(0, 15), 0))
        .kind(new CoreKind("efficiency", CpuSet.range(16, 23), 0))
        .build();
  }

  /**
   * Each of the 4 GPUs shows 8 NUMA nodes, one for each instance that it can be cut into; uncut,
   * the first one has all of the GPU's memory.
   */
  private static Machine graceBlackwell() {
    MachineBuilder builder = Machine.builder("grace-blackwell");
    for (int cpu = 0; cpu < 144; cpu++) {
      builder.cpu(cpu, cpu, cpu / 72, cpu / 72, cpu / 72);
    }
    builder.memory(0, gibibytes(480)).memory(1, gibibytes(480));
    for (int node = 2; node < 34; node++) {
      builder.memory(node, (node - 2) % 8 == 0 ? gibibytes(186) : NodeMemory.NONE);
    }
    return builder.build();
  }

  private static NodeMemory gibibytes(long count) {
    return NodeMemory.of(count << 30, Map.of());
  }
}
