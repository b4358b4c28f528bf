package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UncountedTest {
  private static final Machine SMALL = Machines.parse("pack:1 node:2(memory=4GiB) core:4 pu:1");

  private static Node node(Machine machine) {
    return Node.start(machine, Configuration.staticPolicy(Quantity.of(1)));
  }

  private static Pod pod(String uid, Map<String, String> requests, Map<String, String> limits) {
    return Pod.of(
        uid, List.of(new Container("app", Role.APP, new Resources(read(requests), read(limits)))));
  }

  private static Map<String, Quantity> read(Map<String, String> amounts) {
    Map<String, Quantity> read = new HashMap<>();
    amounts.forEach((name, amount) -> read.put(name, Quantity.parse(amount)));
    return read;
  }

  private static Pod firm(String uid, Map<String, String> amounts) {
    return pod(uid, amounts, amounts);
  }

  @Test
  void namesMemoryThatNoPolicyCounts() {
    Uncounted uncounted = new Uncounted(node(SMALL));
    uncounted.add(firm("p", Map.of("cpu", "1", "memory", "9Ti")));
    assertThat(uncounted.lines())
        .containsExactly(
            "memory: 9Ti requested, the machine has 8Gi; memory policy None does not count it");
  }

  @Test
  void addsUpWhatIsThereAtOneTime() {
    Uncounted uncounted = new Uncounted(node(SMALL));
    Pod one = firm("p", Map.of("cpu", "1", "memory", "5Gi"));
    uncounted.add(one);
    uncounted.remove(one);
    uncounted.add(firm("q", Map.of("cpu", "1", "memory", "5Gi")));
    assertThat(uncounted.lines()).isEmpty();
    uncounted.add(one);
    assertThat(uncounted.lines()).singleElement().asString().startsWith("memory: 10Gi requested");
    uncounted.remove(one);
    assertThat(uncounted.lines()).as("what was once is told").hasSize(1);
  }

  @Test
  void namesHugepagesThatTheMachineDoesNotHave() {
    Uncounted uncounted = new Uncounted(node(SMALL));
    uncounted.add(firm("p", Map.of("cpu", "1", "memory", "1Gi", "hugepages-2Mi", "4Mi")));
    assertThat(uncounted.lines())
        .containsExactly(
            "hugepages-2Mi: 4Mi requested, the machine has none; memory policy None does not count"
                + " it");
  }

  @Test
  void countsOnlySharedCpusAndAgainstThePool() {
    Uncounted uncounted = new Uncounted(node(SMALL));
    uncounted.add(firm("own", Map.of("cpu", "4", "memory", "1Gi")));
    assertThat(uncounted.lines()).isEmpty();
    uncounted.add(pod("shares", Map.of("cpu", "8500m"), Map.of()));
    assertThat(uncounted.lines())
        .containsExactly(
            "cpu: containers on the shared pool request 8500m CPUs together, the pool has 8 CPUs;"
                + " requests of shared CPUs are not counted");
  }

  @Test
  void saysThatNobodyStatedTheMemoryOfASpec() {
    Uncounted uncounted = new Uncounted(node(Machines.parse("pack:1 node:1 core:4 pu:1")));
    uncounted.add(firm("p", Map.of("cpu", "1", "memory", "1Mi")));
    assertThat(uncounted.lines())
        .containsExactly(
            "memory: 1Mi requested, the machine's memory is not stated; memory policy None does not"
                + " count it");
  }

  @Test
  void namesWhatNothingHereKnows() {
    Uncounted uncounted = new Uncounted(node(SMALL));
    uncounted.add(pod("p", Map.of("ephemeral-storage", "1Gi"), Map.of()));
    assertThat(uncounted.lines()).containsExactly("ephemeral-storage: nothing here counts it");
  }

  /** Whoever comes and goes in whatever order, memory is named if and only if it was exceeded. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void namesMemoryIfAndOnlyIfItWasExceeded(long seed) {
    Random random = new Random(seed);
    for (int run = 0; run < 100; run++) {
      Uncounted uncounted = new Uncounted(node(SMALL));
      List<Long> sizes = new ArrayList<>();
      List<Pod> here = new ArrayList<>();
      long most = 0;
      for (int step = 0; step < 12; step++) {
        if (!here.isEmpty() && random.nextBoolean()) {
          int which = random.nextInt(here.size());
          sizes.remove(which);
          uncounted.remove(here.remove(which));
        } else {
          long mebibytes = 1L + random.nextInt(4096);
          Pod pod = firm("p" + step, Map.of("cpu", "1", "memory", mebibytes + "Mi"));
          sizes.add(mebibytes);
          here.add(pod);
          uncounted.add(pod);
        }
        most = Math.max(most, sizes.stream().mapToLong(Long::longValue).sum());
      }
      assertThat(uncounted.lines().isEmpty())
          .as("seed %d, run %d", seed, run)
          .isEqualTo(most <= 8192);
    }
  }
}
