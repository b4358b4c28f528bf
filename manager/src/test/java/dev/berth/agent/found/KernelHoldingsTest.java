package dev.berth.agent.found;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KernelHoldingsTest {
  private static final int RUNS = Integer.getInteger("berth.steps", 20_000) / 4;
  private static final NodeCpus EIGHT =
      new NodeCpus(CpuSet.range(0, 7), CpuSet.range(0, 7), CpuSet.of(0), true);

  private static Holding holding(String cpus) {
    return Holding.ofCpus(new TreeMap<>(Map.of("app", CpuSet.parse(cpus))));
  }

  private static FoundContainer running(String uid, String cpus) {
    return running(uid, CpuSet.parse(cpus));
  }

  private static FoundContainer running(String uid, CpuSet cpus) {
    return new FoundContainer(
        uid, "app", GroupPath.of("pods", uid, "app"), cpus, false, new TreeSet<>(List.of(1L)));
  }

  private static KernelHoldings join(
      Map<String, Holding> written, List<Pod> pods, FoundContainer... found) {
    return KernelHoldings.of(new TreeMap<>(written), pods, List.of(found), EIGHT);
  }

  @Test
  void whereRecordsAndKernelAgreeEverythingStays() {
    KernelHoldings after =
        join(Map.of("a", holding("1-2")), List.of(Pod.guaranteed("a", 2)), running("a", "1-2"));
    assertThat(after.holdings()).isEqualTo(Map.of("a", holding("1-2")));
    assertThat(after.unknown()).isEmpty();
    assertThat(after.notes()).isEmpty();
  }

  @Test
  void aContainerStaysWhereItRunsThoughItsRecordIsOlder() {
    KernelHoldings after =
        join(Map.of("a", holding("1-2")), List.of(Pod.guaranteed("a", 2)), running("a", "3-4"));
    assertThat(after.holdings()).isEqualTo(Map.of("a", holding("3-4")));
    assertThat(after.notes())
        .containsExactly(
            "pod a: container app runs on CPUs 3-4, its record says 1-2: it stays where it runs");
  }

  @Test
  void aRecordOfWhatDoesNotRunGivesWay() {
    KernelHoldings after =
        join(
            Map.of("gone", holding("1-2")),
            List.of(Pod.guaranteed("gone", 2)),
            running("new", "2-3"));
    assertThat(after.holdings()).isEqualTo(Map.of("new", holding("2-3")));
    assertThat(after.unknown().getFirst().shares()).isFalse();
    assertThat(after.notes())
        .containsExactly(
            "pod gone: its record says CPUs 1-2, but a container that runs has 2: it is admitted"
                + " anew");
  }

  /** The pod was applied anew with another size, and another pod has its CPUs of before. */
  @Test
  void anOldRecordOfAnotherSizeTakesNoRunningContainersCpus() {
    KernelHoldings after =
        join(
            Map.of("p", holding("1-2")),
            List.of(Pod.guaranteed("p", 2)),
            running("p", "3-5"),
            running("q", "1-2"));
    assertThat(after.holdings().get("q")).isEqualTo(holding("1-2"));
    assertThat(after.holdings().getOrDefault("p", Holding.NOTHING).allCpus().isEmpty()).isTrue();
  }

  /** Its exclusive container waits to be started again, and a sidecar runs on the shared pool. */
  @Test
  void aRecordOfAContainerThatDoesNotRunGivesWayThoughItsPodRuns() {
    FoundContainer sidecar =
        new FoundContainer(
            "p",
            "sidecar",
            GroupPath.of("pods", "p", "sidecar"),
            CpuSet.parse("0,3-7"),
            false,
            new TreeSet<>(List.of(1L)));
    Pod pod =
        Pod.of(
            "p",
            List.of(
                Pod.guaranteed("p", 2).containers().getFirst(),
                new dev.berth.workload.Container(
                    "sidecar",
                    dev.berth.workload.Container.Role.APP,
                    dev.berth.workload.Resources.guaranteed(
                        Map.of(
                            "cpu", dev.berth.workload.Quantity.parse("100m"),
                            "memory", dev.berth.workload.Quantity.parse("1Gi"))))));
    KernelHoldings after =
        join(Map.of("p", holding("1-2")), List.of(pod), sidecar, running("q", "1-2"));
    assertThat(after.holdings().get("q")).isEqualTo(holding("1-2"));
    assertThat(after.holdings().getOrDefault("p", Holding.NOTHING).allCpus().isEmpty()).isTrue();
  }

  @Test
  void aLoneContainerOnAllThatIsLeftOfAStrictMachineIsAnOwner() {
    NodeCpus strict = new NodeCpus(CpuSet.of(0, 1), CpuSet.of(1), CpuSet.of(0), true);
    KernelHoldings after =
        KernelHoldings.of(new TreeMap<>(), List.of(), List.of(running("db", "1")), strict);
    assertThat(after.holdings()).isEqualTo(Map.of("db", holding("1")));
  }

  @Test
  void aContainerWithACpusetLikeThePoolShares() {
    KernelHoldings after =
        join(
            Map.of("a", holding("1-2")),
            List.of(Pod.guaranteed("a", 2)),
            running("a", "1-2"),
            running("web", "0,3,5-7"),
            running("db", "4"));
    assertThat(after.holdings()).containsOnlyKeys("a", "db");
    assertThat(after.unknown())
        .extracting(UnknownContainer::holder, UnknownContainer::shares)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("web", true),
            org.assertj.core.groups.Tuple.tuple("db", false));
  }

  @Test
  void onTwoCpusTheOneWithTheReservedCpuShares() {
    NodeCpus two = new NodeCpus(CpuSet.of(0, 1), CpuSet.of(0, 1), CpuSet.of(0), true);
    KernelHoldings after =
        KernelHoldings.of(
            new TreeMap<>(), List.of(), List.of(running("db", "1"), running("web", "0")), two);
    assertThat(after.holdings()).isEqualTo(Map.of("db", holding("1")));
  }

  @Test
  void anUnconfinedContainerHoldsNothing() {
    KernelHoldings after = join(Map.of(), List.of(), running("wide", "0-7"));
    assertThat(after.holdings()).isEmpty();
    assertThat(after.unknown().getFirst().shares()).isTrue();
  }

  @Test
  void underPolicyNoneNothingIsHeld() {
    NodeCpus none = new NodeCpus(CpuSet.range(0, 7), CpuSet.range(0, 7), CpuSet.EMPTY, false);
    KernelHoldings after =
        KernelHoldings.of(new TreeMap<>(), List.of(), List.of(running("db", "1")), none);
    assertThat(after.holdings()).isEmpty();
    assertThat(after.unknown().getFirst().shares()).isTrue();
  }

  /** A machine as it was, and records of it that are lost, older or wrong. */
  private static final class Scene {
    final Random random;
    final NodeCpus cpus;
    final SortedMap<String, CpuSet> owners = new TreeMap<>();
    final List<FoundContainer> found = new ArrayList<>();
    final SortedMap<String, Holding> written = new TreeMap<>();
    final List<Pod> pods = new ArrayList<>();
    final List<String> resized = new ArrayList<>();

    Scene(long seed) {
      random = new Random(seed);
      CpuSet all = CpuSet.range(0, 3 + random.nextInt(30));
      CpuSet reserved = CpuSet.range(0, random.nextInt(2));
      boolean strict = random.nextBoolean();
      cpus = new NodeCpus(all, strict ? all.difference(reserved) : all, reserved, true);
      CpuSet free = all.difference(reserved);
      CpuSet pool = cpus.pool();
      for (int i = 0; i < 1 + random.nextInt(5); i++) {
        CpuSet own = some(free, 1 + random.nextInt(4));
        if (own.size() < free.size()) {
          owners.put("own" + i, own);
          free = free.difference(own);
          pool = pool.difference(own);
        }
      }
      owners.forEach((uid, own) -> found.add(running(uid, own)));
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        found.add(running("shared" + i, pool.isEmpty() ? reserved : pool));
      }
      records();
    }

    boolean isAmbiguous() {
      return !cpus.reserved().isSubsetOf(cpus.pool())
          && found.stream().filter(one -> one.uid().startsWith("shared")).count() == 1;
    }

    private void records() {
      CpuSet rest = cpus.all().difference(cpus.reserved());
      for (Map.Entry<String, CpuSet> owner : owners.entrySet()) {
        int kind = random.nextInt(5);
        if (kind == 4) {
          // An older record of a pod of another size: it has no claim to where it runs.
          CpuSet told = some(cpus.all().difference(cpus.reserved()), owner.getValue().size() + 1);
          if (told.size() == owner.getValue().size() + 1) {
            pods.add(Pod.guaranteed(owner.getKey(), told.size()));
            written.put(owner.getKey(), holding(told.toString()));
            resized.add(owner.getKey());
          }
        } else if (kind > 0) {
          pods.add(Pod.guaranteed(owner.getKey(), owner.getValue().size()));
          CpuSet told = kind == 1 ? some(rest, owner.getValue().size()) : owner.getValue();
          rest = rest.difference(told);
          written.put(owner.getKey(), holding(told.toString()));
        }
      }
      if (random.nextBoolean()) {
        CpuSet told = some(rest, 1 + random.nextInt(3));
        if (!told.isEmpty()) {
          pods.add(Pod.guaranteed("gone", told.size()));
          written.put("gone", holding(told.toString()));
        }
      }
    }

    private CpuSet some(CpuSet from, int count) {
      CpuSet some = CpuSet.EMPTY;
      int[] ids = from.toArray();
      for (int i = 0; i < Math.min(count, ids.length); i++) {
        some = some.union(CpuSet.of(ids[random.nextInt(ids.length)]));
      }
      return some;
    }
  }

  @Test
  void noCpuHasTwoHoldersAndEveryOwnerKeepsItsOwn() {
    long first = Long.getLong("berth.seed", 9_000);
    int ambiguous = 0;
    int shared = 0;
    for (long seed = first; seed < first + RUNS; seed++) {
      Scene scene = new Scene(seed);
      KernelHoldings after = KernelHoldings.of(scene.written, scene.pods, scene.found, scene.cpus);
      String what = "seed " + seed + ": " + scene.owners + ", written " + scene.written;
      CpuSet taken = CpuSet.EMPTY;
      for (Map.Entry<String, Holding> one : after.holdings().entrySet()) {
        CpuSet own = one.getValue().allCpus();
        assertThat(own.intersects(taken)).as("%s: %s twice", what, own).isFalse();
        assertThat(own.intersects(scene.cpus.reserved())).as(what).isFalse();
        taken = taken.union(own);
      }
      for (Map.Entry<String, CpuSet> owner : scene.owners.entrySet()) {
        if (scene.resized.contains(owner.getKey())) {
          continue;
        }
        assertThat(after.holdings().getOrDefault(owner.getKey(), Holding.NOTHING).allCpus())
            .as("%s: %s of %s", what, owner.getKey(), after)
            .isEqualTo(owner.getValue());
      }
      for (UnknownContainer one : after.unknown()) {
        if (one.holder().startsWith("shared")) {
          // On a strictly reserved machine one shared and one exclusive container look alike.
          assertThat(one.shares() || scene.isAmbiguous()).as("%s: %s", what, one).isTrue();
          ambiguous += one.shares() ? 0 : 1;
          shared++;
        }
      }
    }
    assertThat(ambiguous).isLessThan(shared / 2);
  }
}
