package dev.berth.measure;

import dev.berth.agent.state.StateFolder;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * An admission that is on the disk when it returns, beside the same bytes written and synced with
 * nothing decided, encoded or checked. Both take turns on one disk, each first every other time.
 */
final class DurableAdmission {
  private static final int WARM_UP = 2_000;
  private static final int PAIRS = 300;
  private static final int PODS = 20;

  /** As long as the description of a small pod is. */
  private static final String SPEC = "{\"command\":[\"/usr/bin/example\"],\"env\":{}}".repeat(6);

  private final StateFolder state;
  private final BareWrites bare;
  private final Node node =
      Node.start(
          Machines.parse("pack:2 node:2 l3:6 core:8 pu:2"),
          Configuration.staticPolicy(Quantity.of(2)));
  private int next;

  private DurableAdmission(StateFolder state, BareWrites bare) {
    this.state = state;
    this.bare = bare;
  }

  public static void main(String... arguments) {
    OneLine.run(() -> {
      measureIn(Path.of(arguments[0]));
      return 0;
    });
  }

  private static void measureIn(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (StateFolder state = StateFolder.open(folder.resolve("state"));
        BareWrites bare = new BareWrites(Files.createDirectories(folder.resolve("bare")))) {
      new DurableAdmission(state, bare).measure();
    } finally {
      MachineTree.delete(folder);
    }
  }

  private void measure() throws IOException {
    state.settled("measured", node, Map.of());
    for (int i = 0; i < WARM_UP; i++) {
      admit();
      bare.write(); // as often: what is compared is to be as warm
    }
    for (int i = 0; i < PAIRS; i++) {
      Pair pair = pair();
      tell("durable/admission", pair.admission());
      tell("durable/bare", pair.bare());
    }
  }

  private record Pair(long admission, long bare) {}

  /** One of each. The bare writes are those of the admission before, which are as long. */
  private Pair pair() throws IOException {
    if (next % 2 == 0) {
      long bareNanos = bare.write();
      return new Pair(admit(), bareNanos);
    }
    long admission = admit();
    return new Pair(admission, bare.write());
  }

  private long admit() throws IOException {
    Path journal = state.folder().resolve("berth_state");
    long before = Files.size(journal);
    Pod pod = Pod.guaranteed("pod-" + next++, 8);
    long began = System.nanoTime();
    if (node.admit(pod) instanceof Decision.Refused refused) {
      throw new IllegalStateException(refused.toString());
    }
    state.admitted(pod, SPEC, node);
    long nanos = System.nanoTime() - began;
    long grown = Files.size(journal) - before;
    if (grown > 0) { // else it was written anew, which is seldom
      bare.imitate((int) grown, Files.readAllBytes(state.folder().resolve("cpu_manager_state")));
    }
    if (next > PODS) {
      String leaving = "pod-" + (next - 1 - PODS);
      node.remove(leaving);
      state.removed(leaving, node);
    }
    return nanos;
  }

  private static void tell(String name, long nanos) {
    System.out.println("{\"name\":\"" + name + "\",\"ns\":" + nanos + ",\"runs\":1}");
  }
}
