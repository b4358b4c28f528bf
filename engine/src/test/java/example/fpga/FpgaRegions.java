package example.fpga;

import dev.berth.allocation.Trace;
import dev.berth.cpu.NodeSet;
import dev.berth.hints.Affinity;
import dev.berth.hints.Cover;
import dev.berth.hints.Demand;
import dev.berth.hints.Draft;
import dev.berth.hints.Hint;
import dev.berth.hints.HintProvider;
import dev.berth.hints.LastingProvider;
import dev.berth.hints.Nodes;
import dev.berth.hints.Offer;
import dev.berth.hints.Preference;
import dev.berth.hints.Refusal;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.HintProviderFactory;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Regions of FPGA cards: every NUMA node has a card with four of them. */
public final class FpgaRegions implements LastingProvider {
  private static final String RESOURCE = "example.com/fpga-region";
  private static final int REGIONS_A_NODE = 4;

  private final Nodes nodes;
  private final Map<String, long[]> held = new HashMap<>();
  private long[] free;

  private FpgaRegions(Nodes nodes) {
    this.nodes = nodes;
    free = new long[nodes.size()];
    Arrays.fill(free, REGIONS_A_NODE);
  }

  /** What the service file names. */
  public static final class Factory implements HintProviderFactory {
    @Override
    public HintProvider start(Machine machine, Configuration configuration) {
      return new FpgaRegions(Nodes.of(machine));
    }
  }

  @Override
  public Set<String> resources() {
    return Set.of(RESOURCE);
  }

  @Override
  public LastingProvider copy() {
    FpgaRegions copy = new FpgaRegions(nodes);
    held.forEach((uid, taken) -> copy.held.put(uid, taken.clone()));
    copy.free = free.clone();
    return copy;
  }

  /** Such as {@code 0:2 1:1}: two regions on node 0 and one on node 1. */
  @Override
  public Map<String, String> holdings() {
    Map<String, String> texts = new HashMap<>();
    held.forEach((uid, taken) ->
        texts.put(
            uid,
            IntStream.range(0, taken.length)
                .filter(i -> taken[i] > 0)
                .mapToObj(i -> nodes.id(i) + ":" + taken[i])
                .collect(Collectors.joining(" "))));
    texts.values().removeIf(String::isEmpty);
    return texts;
  }

  @Override
  public void restore(String uid, String holding) {
    long[] taken = new long[free.length];
    for (String part : holding.split(" ", -1)) {
      String[] pair = part.split(":", -1);
      NodeSet node = NodeSet.of(Integer.parseInt(pair[0]));
      if (!node.isSubsetOf(nodes.all())) {
        throw new IllegalStateException("node " + node + " is gone");
      }
      for (int i = 0; i < taken.length; i++) {
        taken[i] += node.contains(nodes.id(i)) ? Long.parseLong(pair[1]) : 0;
      }
    }
    long[] rest = free.clone();
    Arrays.setAll(rest, i -> free[i] - taken[i]);
    if (Arrays.stream(rest).anyMatch(left -> left < 0)) {
      throw new IllegalStateException("regions " + holding + " are not free");
    }
    held.put(uid, taken);
    free = rest;
  }

  @Override
  public Draft begin(Pod pod, Trace trace) {
    return new Regions(pod, free);
  }

  @Override
  public void remove(String uid) {
    long[] taken = held.remove(uid);
    for (int i = 0; taken != null && i < taken.length; i++) {
      free[i] += taken[i];
    }
  }

  private final class Regions implements Draft {
    private final Pod pod;
    private final long[] before;
    private final long[] left;

    private Regions(Pod pod, long[] free) {
      this.pod = pod;
      before = free.clone();
      left = free.clone();
    }

    private static long wanted(Container container) {
      return container.resources().limit(RESOURCE).value();
    }

    private long wanted() {
      return pod.containers().stream().mapToLong(Regions::wanted).sum();
    }

    @Override
    public Standing standing() {
      Standing owed = held.containsKey(pod.uid()) ? Standing.HELD : Standing.MISSING;
      return wanted() == 0 ? Standing.NOTHING_OWED : owed;
    }

    @Override
    public Map<String, Offer> offers(Container container) {
      return offer(wanted(container));
    }

    @Override
    public Map<String, Offer> offers() {
      return offer(wanted());
    }

    private Map<String, Offer> offer(long count) {
      if (count == 0) {
        return Map.of();
      }
      Cover enough = Cover.of(nodes, nodes.all(), Demand.atLeast(count, left));
      long fewest = (count + REGIONS_A_NODE - 1) / REGIONS_A_NODE;
      return Map.of(RESOURCE, Offer.family(enough, Preference.ofSize((int) fewest)));
    }

    @Override
    public Optional<Refusal> allocate(Container container, Hint place) {
      NodeSet near = place.affinity() instanceof Affinity.To(var agreed) ? agreed : nodes.all();
      long missing = take(nodes.all(), take(near, wanted(container)));
      return missing == 0
          ? Optional.empty()
          : Optional.of(Refusal.unexpected("FPGA regions missing: " + missing));
    }

    private long take(NodeSet from, long count) {
      long missing = count;
      for (int i = 0; i < left.length; i++) {
        long part = from.contains(nodes.id(i)) ? Math.min(missing, left[i]) : 0;
        left[i] -= part;
        missing -= part;
      }
      return missing;
    }

    @Override
    public Optional<Refusal> allocateBudget(Hint place) {
      return pod.containers().stream()
          .map(container -> allocate(container, place))
          .flatMap(Optional::stream)
          .findFirst();
    }

    @Override
    public Draft again(Trace trace) {
      return new Regions(pod, before);
    }

    @Override
    public void commit() {
      long[] taken = new long[left.length];
      Arrays.setAll(taken, i -> before[i] - left[i]);
      held.put(pod.uid(), taken);
      free = left.clone();
    }
  }
}
