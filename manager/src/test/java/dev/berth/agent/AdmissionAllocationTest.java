package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.berth.agent.Books.Verdict;
import dev.berth.agent.state.StateFolder;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the agent allocates for an admission may not grow unseen: the decision, its line in the
 * journal and Kubernetes' files, the metrics and the story.
 */
@Tag("slow")
class AdmissionAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 20;
  private static final int RUNS_A_ROUND = 25;
  private static final int PODS = 20;

  /** About a tenth above what was measured before the JVM spared any of it. */
  private static final long MOST_BYTES = 67_500;

  private final ArrayDeque<Tenant> here = new ArrayDeque<>();
  private int next;

  @Test
  void anAdmissionThatIsWrittenDownAllocatesNoMoreThanItDid(@TempDir Path folder)
      throws IOException {
    Node node =
        Node.builder(
                Machines.parse("pack:2 node:2 l3:6 core:8 pu:2"),
                NodeSettings.DEFAULTS.configuration())
            .start();
    try (Loop loop = new Loop(AdmissionAllocationTest::rethrow);
        StateFolder state = StateFolder.open(folder.resolve("state"))) {
      state.settled("boot", node, Map.of());
      Books books = new Books(node, state, new Metrics("test"), false, loop, (_, _) -> {});
      books.chronicle().begin(StoryHead.of(node, "{}", ""), node, List.of());
      while (here.size() < PODS) {
        admit(books);
      }
      long bytes = bytesPerAdmission(books);
      assertThat(bytes)
          .as("%d bytes an admission, of %d that it may have", bytes, MOST_BYTES)
          .isBetween(1L, MOST_BYTES);
    }
  }

  private static void rethrow(RuntimeException fault) {
    throw fault;
  }

  /** The least of several rounds: a compiler that is not done yet can only add to it. */
  private long bytesPerAdmission(Books books) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long bytes = 0;
      for (int run = 0; run < RUNS_A_ROUND; run++) {
        books.removed(here.removeFirst().uid());
        bytes += admit(books);
      }
      least = Math.min(least, bytes);
    }
    return least / RUNS_A_ROUND;
  }

  /** All names are as long, so that what is written about them is too. */
  private long admit(Books books) {
    String name = String.format(Locale.ROOT, "pod-%04d", next++);
    String yaml = RealAgent.pod(name, RealAgent.guaranteed(8), "sleep", "infinity");
    Tenant tenant =
        new Tenant(RunnablePod.read("a", yaml).getFirst(), Origin.APPLY, Optional.empty());
    long before = THREADS.getCurrentThreadAllocatedBytes();
    String spec = ResidentText.write(tenant.pod(), tenant.origin(), tenant.process());
    Verdict verdict =
        books.admit(tenant.request(), spec, true, books.objections(tenant.request(), true));
    books.chronicle().admitted(tenant, books.node());
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(verdict).isInstanceOf(Verdict.In.class);
    here.add(tenant);
    return bytes;
  }
}
