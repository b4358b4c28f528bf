package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random trees of groups that change again and again, each change planned and then done step by
 * step on a model of the kernel. Every step must be legal there, and the end as wanted.
 */
class PlannerPropertyTest {
  private static final long FIRST_SEED = 7_000;
  private static final int CHANGES_A_RUN = 25;
  private static final Settings FRESH = Settings.NONE.withQuota(Quota.unlimited());

  private final int runs = Integer.getInteger("berth.steps", 20_000) / CHANGES_A_RUN;

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyStepIsLegalAndTheEndIsAsWanted(boolean strict) {
    int steps = 0;
    int refused = 0;
    int meetings = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + runs; seed++) {
      Run run = new Run(seed, strict);
      try {
        for (int change = 0; change < CHANGES_A_RUN; change++) {
          run.change();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + run.last, e);
      }
      steps += run.steps;
      refused += run.refused;
      meetings += run.meetings;
    }
    System.out.printf(
        "%d changes from seed %d, version %d: %d steps, %d met the shared pool, %d refused%n",
        runs * CHANGES_A_RUN, FIRST_SEED, strict ? 1 : 2, steps, meetings, refused);
    assertThat(steps).isGreaterThan(runs * CHANGES_A_RUN);
    assertThat(meetings).as("rings that are resolved through the shared pool").isPositive();
  }

  private static final class Run {
    private final Random random;
    private final boolean strict;
    private final CpuSet all;
    private final Settings outside;
    private final KernelModel kernel;
    private String last = "";
    private int steps;
    private int refused;
    private int meetings;

    Run(long seed, boolean strict) {
      random = new Random(seed);
      this.strict = strict;
      all = CpuSet.range(0, 2 + random.nextInt(8));
      outside = Settings.NONE.withCpus(all).withMems(NodeSet.of(0, 1, 2));
      kernel = new KernelModel(strict, outside);
    }

    void change() {
      meddle();
      SortedMap<GroupPath, Settings> wanted = wanted();
      liftQuotasOfOthers(wanted);
      SortedMap<GroupPath, Present> current = current();
      Shape shape = shape(current, wanted);
      List<Step> plan = Planner.plan(shape);
      last = "had " + kernel.groups() + "\nwanted " + wanted + "\nplan " + plan;
      Map<GroupPath, Settings> before = new HashMap<>(kernel.groups());
      boolean ring = false;
      for (Step step : plan) {
        takenBeforeGiven(step, shape);
        kernel.step(step);
        if (step instanceof Step.Refuse refuse) {
          ring = true;
          everyCpuIsExclusive(refuse.group(), shape);
        }
        steps++;
      }
      refused += ring ? 1 : 0;
      if (!ring) {
        asWanted(wanted);
        assertThat(Planner.plan(shape(current(), wanted))).as("a second plan").isEmpty();
        onlyNeeded(plan, before);
      }
      forgetSome(wanted);
    }

    /** Version 1 would refuse a group a quota below that of a group in it that nobody wants. */
    private void liftQuotasOfOthers(SortedMap<GroupPath, Settings> wanted) {
      kernel
          .groups()
          .replaceAll(
              (group, has) -> wanted.containsKey(group) ? has : has.withQuota(Quota.unlimited()));
    }

    private Shape shape(
        SortedMap<GroupPath, Present> current, SortedMap<GroupPath, Settings> wanted) {
      return new Shape(current, wanted, strict ? outside : Settings.NONE, FRESH);
    }

    private SortedMap<GroupPath, Present> current() {
      SortedMap<GroupPath, Present> current = new TreeMap<>();
      kernel
          .groups()
          .forEach((group, settings) ->
              current.put(
                  group, new Present(EnumSet.of(Controller.CPUSET, Controller.CPU), settings)));
      return current;
    }

    /** Pods with containers on CPUs of their own and some that share what is left. */
    private SortedMap<GroupPath, Settings> wanted() {
      SortedMap<GroupPath, Settings> wanted = new TreeMap<>();
      CpuSet free = all;
      List<GroupPath> sharing = new ArrayList<>();
      for (int pod = 0; pod < 3; pod++) {
        for (int container = 0; container < 1 + random.nextInt(2); container++) {
          GroupPath group = GroupPath.of("pods", "pod" + pod, "c" + container);
          CpuSet own = some(free, 1 + random.nextInt(3));
          if (random.nextInt(3) > 0 && own.size() < free.size()) {
            free = free.difference(own);
            wanted.put(group, Settings.NONE.withCpus(own).withMems(nodes()).withExclusive());
          } else {
            sharing.add(group);
          }
        }
      }
      for (GroupPath group : sharing) {
        wanted.put(group, Settings.NONE.withCpus(free).withMems(nodes()));
      }
      quotas(wanted);
      inner(wanted);
      return wanted;
    }

    private CpuSet some(CpuSet from, int count) {
      CpuSet some = CpuSet.EMPTY;
      for (int i = 0; i < count; i++) {
        int[] ids = from.toArray();
        some = some.union(CpuSet.of(ids[random.nextInt(ids.length)]));
      }
      return some;
    }

    private NodeSet nodes() {
      NodeSet nodes = NodeSet.of(random.nextInt(3));
      return random.nextBoolean() ? nodes : nodes.union(NodeSet.of(random.nextInt(3)));
    }

    private void quotas(SortedMap<GroupPath, Settings> wanted) {
      long most = 1_000L * (10 + random.nextInt(90));
      wanted.replaceAll((group, settings) ->
          settings.withQuota(
              random.nextInt(3) == 0
                  ? Quota.unlimited()
                  : Quota.of(Math.max(1_000, random.nextLong(most)))));
      GroupPath pods = GroupPath.of("pods");
      wanted.put(
          pods, Settings.NONE.withQuota(random.nextBoolean() ? Quota.of(most) : Quota.unlimited()));
    }

    /** Some of the groups above are given exactly what is in them, or more; of some nothing. */
    private void inner(SortedMap<GroupPath, Settings> wanted) {
      for (int pod = 0; pod < 3; pod++) {
        GroupPath group = GroupPath.of("pods", "pod" + pod);
        CpuSet cpus = CpuSet.EMPTY;
        NodeSet mems = NodeSet.EMPTY;
        for (Map.Entry<GroupPath, Settings> entry : wanted.entrySet()) {
          if (entry.getKey().isBelow(group)) {
            cpus = cpus.union(entry.getValue().cpus().orElseThrow());
            mems = mems.union(entry.getValue().mems().orElseThrow());
          }
        }
        if (random.nextInt(3) > 0) {
          wanted.put(group, Settings.NONE.withCpus(cpus).withMems(mems));
        }
      }
      if (random.nextBoolean()) {
        Settings pods = wanted.getOrDefault(GroupPath.of("pods"), Settings.NONE);
        wanted.put(GroupPath.of("pods"), pods.withCpus(all).withMems(NodeSet.of(0, 1, 2)));
        wanted.put(GroupPath.OWN, Settings.NONE.withCpus(all).withMems(NodeSet.of(0, 1, 2)));
      }
    }

    /** A container makes groups in its own one. */
    private void meddle() {
      for (GroupPath group : List.copyOf(kernel.groups().keySet())) {
        Settings settings = kernel.groups().getOrDefault(group, FRESH);
        int depth = group.segments().size();
        if (depth >= 3 && depth < 6 && random.nextInt(6) == 0 && settings.mems().isPresent()) {
          GroupPath child = group.child("x" + random.nextInt(2));
          if (!kernel.groups().containsKey(child) && settings.cpus().isPresent()) {
            kernel.make(child);
            kernel.set(child, new Setting.Cpus(some(settings.cpus().get(), 2)));
            kernel.set(child, new Setting.Mems(settings.mems().get()));
          }
        }
      }
    }

    /** Some groups are removed with all in them; some stay although nobody wants them. */
    private void forgetSome(SortedMap<GroupPath, Settings> wanted) {
      for (GroupPath group : List.copyOf(wanted.keySet())) {
        if (group.segments().size() == 3 && random.nextInt(4) == 0) {
          kernel.groups().keySet().removeIf(other -> other.equals(group) || other.isBelow(group));
        }
      }
    }

    /** A CPU that anybody gives up is given up before anybody gets it. */
    private void takenBeforeGiven(Step step, Shape shape) {
      if (step instanceof Step.Write write
          && shape.owners().contains(write.group())
          && write.value() instanceof Setting.Cpus(CpuSet cpus)) {
        CpuSet before = cpusOf(write.group());
        assertThat(write.before().orElse(new Setting.Cpus(CpuSet.EMPTY)))
            .isEqualTo(new Setting.Cpus(before));
        cpus.difference(before).forEach(cpu -> isFree(cpu, write.group(), shape));
      }
    }

    /**
     * No owner that is to lose a CPU still has it when another gets it. Only where no CPU is free
     * may an exclusive owner meet one that shares.
     */
    private void isFree(int cpu, GroupPath by, Shape shape) {
      for (GroupPath other : shape.owners()) {
        Settings target = shape.wanted().get(other);
        boolean has = cpusOf(other).contains(cpu);
        if (target == null || other.equals(by) || !has) {
          continue;
        }
        boolean stays = target.cpus().orElseThrow().contains(cpu);
        boolean bothShare = !target.exclusive() && !isExclusive(by, shape);
        boolean inRing = !target.exclusive() && isExclusive(by, shape) && noneIsFree(shape);
        assertThat(stays || bothShare || inRing)
            .as("CPU %d is given to %s while %s has it", cpu, by, other)
            .isTrue();
        meetings += stays || bothShare ? 0 : 1;
      }
    }

    private static boolean isExclusive(GroupPath owner, Shape shape) {
      Settings wanted = shape.wanted().get(owner);
      return wanted != null && wanted.exclusive();
    }

    /** Whether every CPU is with an owner or what one still has to get. */
    private boolean noneIsFree(Shape shape) {
      CpuSet free = all;
      for (GroupPath owner : shape.owners()) {
        free = free.difference(cpusOf(owner));
        Settings wanted = shape.wanted().get(owner);
        if (wanted != null && !wanted.cpus().equals(Optional.of(cpusOf(owner)))) {
          free = free.difference(wanted.cpus().orElse(CpuSet.EMPTY));
        }
      }
      return free.isEmpty();
    }

    /**
     * A ring stays only where every CPU of our own group is with an exclusive owner. One that waits
     * for a CPU of the ring stays with it.
     */
    private void everyCpuIsExclusive(GroupPath refused, Shape shape) {
      Settings own = shape.wanted().getOrDefault(GroupPath.OWN, Settings.NONE);
      CpuSet wanted = shape.wanted().getOrDefault(refused, own).cpus().orElse(CpuSet.EMPTY);
      if (own.cpus().isEmpty() || cpusOf(refused).intersects(wanted)) {
        return;
      }
      CpuSet rest = own.cpus().get();
      for (GroupPath owner : shape.owners()) {
        rest = isExclusive(owner, shape) ? rest.difference(cpusOf(owner)) : rest;
      }
      assertThat(rest).as("what %s could step aside to", refused).isEqualTo(CpuSet.EMPTY);
    }

    private CpuSet cpusOf(GroupPath group) {
      return kernel.groups().getOrDefault(group, FRESH).cpus().orElse(CpuSet.EMPTY);
    }

    private void asWanted(SortedMap<GroupPath, Settings> wanted) {
      wanted.forEach((group, settings) -> {
        Settings has = kernel.groups().getOrDefault(group, Settings.NONE);
        settings
            .each()
            .forEach(
                setting -> assertThat(has.like(setting)).as(group.toString()).hasValue(setting));
      });
    }

    /** At most one write for a set that only shrinks or grows, two for one that does both. */
    private void onlyNeeded(List<Step> plan, Map<GroupPath, Settings> before) {
      Map<GroupPath, Integer> writes = new HashMap<>();
      for (Step step : plan) {
        if (step instanceof Step.Write write
            && write.value() instanceof Setting.Cpus
            && write.owner()
            && !kernel.children(write.group()).stream().findAny().isPresent()) {
          writes.merge(write.group(), 1, Integer::sum);
        }
      }
      writes.forEach((group, count) -> {
        CpuSet had = before.getOrDefault(group, FRESH).cpus().orElse(CpuSet.EMPTY);
        CpuSet has = cpusOf(group);
        boolean oneWay = had.isSubsetOf(has) || has.isSubsetOf(had);
        assertThat(count).as(group.toString()).isLessThanOrEqualTo(oneWay ? 1 : 3);
      });
    }
  }
}
