package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Books.Verdict;
import dev.berth.agent.state.FaultyFolder;
import dev.berth.agent.state.PodRecord;
import dev.berth.explain.Objections;
import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions, and a disk that fails now and then. */
class BooksTest {
  @TempDir private Path folder;

  private static Pod guaranteed(String uid) {
    Resources resources =
        Resources.guaranteed(
            Map.of(Resources.CPU, Quantity.of(1), Resources.MEMORY, Quantity.of(1L << 20)));
    return Pod.of(uid, List.of(new Container("app", Container.Role.APP, resources)));
  }

  @Test
  void aReleaseThatCannotBeWrittenBlocksAdmissions() throws IOException {
    FaultyFolder disk = new FaultyFolder(folder.resolve("state"));
    Node node =
        Node.start(Machines.parse("pack:1 core:2 pu:1"), NodeSettings.DEFAULTS.configuration());
    try (Loop loop =
        new Loop(fault -> {
          throw fault;
        })) {
      disk.state().settled("boot", node, Map.of());
      Books books = new Books(node, disk.state(), new Metrics(""), true, loop, (_, _) -> {});
      assertThat(books.admit(guaranteed("first"), "{}", true, Objections.NONE))
          .isInstanceOf(Verdict.In.class);
      disk.failOnce();
      books.removed("first");
      disk.failOnce();
      // The second try to write the release fails; what comes after it could be written.
      assertThat(books.admit(guaranteed("second"), "{}", true, Objections.NONE))
          .isInstanceOfSatisfying(
              Verdict.Out.class, out -> assertThat(out.reason()).isEqualTo("StateUnwritable"));
      assertThat(node.cpusOf("second", "app")).isEmpty();
      assertThat(disk.state().pods()).extracting(PodRecord::uid).containsExactly("first");
      assertThat(books.admit(guaranteed("third"), "{}", true, Objections.NONE))
          .isInstanceOf(Verdict.In.class);
      assertThat(disk.state().pods()).extracting(PodRecord::uid).containsExactly("third");
    } finally {
      disk.state().close();
    }
  }
}
