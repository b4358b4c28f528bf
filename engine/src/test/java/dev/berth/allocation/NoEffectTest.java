package dev.berth.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.testing.Regular;
import dev.berth.topology.Machine;
import dev.berth.topology.MachineBuilder;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said to have no effect on a machine has none. */
class NoEffectTest {
  private static final long SEED = Long.getLong("berth.seed", 20261116L);

  @Test
  void anOptionSaidToHaveNoEffectChoosesTheSameCpus() {
    Map<StaticOption, Integer> compared = new EnumMap<>(StaticOption.class);
    for (int i = 0; i < 3_000; i++) {
      long seed = SEED + i;
      Random random = new Random(seed);
      Machine machine = machine(random);
      for (StaticOption option : StaticOption.values()) {
        if (option.withoutEffectOn(machine).isPresent()) {
          compared.merge(option, 1, Integer::sum);
          compare(seed, random, machine, option);
        }
      }
    }
    assertThat(compared)
        .as("machines on which each was compared, from seed %d", SEED)
        .doesNotContainKey(StaticOption.STRICT_RESERVATION)
        .hasSize(StaticOption.values().length - 1)
        .allSatisfy((option, times) -> assertThat(times).isGreaterThan(50));
  }

  private static void compare(long seed, Random random, Machine machine, StaticOption option) {
    Chooser plain = new Choosers(machine, StaticOptions.NONE).make();
    Chooser with = new Choosers(machine, new StaticOptions(Set.of(option), false)).make();
    for (int i = 0; i < 20; i++) {
      CpuSet available = available(random, machine);
      int count = 1 + random.nextInt(Math.max(1, available.size()));
      if (count <= available.size()) {
        assertThat(with.choose(available, count, Trace.OFF))
            .as("seed %d: %s, %d of %s on %s", seed, option, count, available, machine.cpuList())
            .isEqualTo(plain.choose(available, count, Trace.OFF));
      }
    }
  }

  private static CpuSet available(Random random, Machine machine) {
    CpuSet available = machine.cpus();
    for (int i = random.nextInt(machine.cpus().size()); i > 0; i--) {
      available = available.difference(CpuSet.of(random.nextInt(machine.cpus().last() + 1)));
    }
    return available;
  }

  /** Regular, or with caches or nodes that are wider than usual. */
  private static Machine machine(Random random) {
    Machine regular =
        Regular.machine(
            1 + random.nextInt(3),
            1 + random.nextInt(2),
            1 + random.nextInt(2),
            1 + random.nextInt(4),
            1 + random.nextInt(2));
    int twist = random.nextInt(4);
    MachineBuilder builder = Machine.builder("twisted");
    regular
        .cpuList()
        .forEach(cpu -> {
          int node = twist == 1 ? 0 : cpu.node();
          int cache = twist == 2 ? cpu.socket() : twist == 3 ? cpu.node() : cpu.cache();
          builder.cpu(cpu.id(), cpu.core(), cpu.socket(), node, cache);
        });
    return builder.build();
  }
}
