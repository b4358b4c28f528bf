package dev.berth.agent.state;

import dev.berth.ledger.Node;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program that writes a pod with CPUs of its own down, for a test that watches its system calls.
 */
final class StateWrites {
  private StateWrites() {}

  /** Takes the folder, and prints a line before the pod is written and one after. */
  public static void main(String[] arguments) throws IOException {
    try (StateFolder state = StateFolder.open(Path.of(arguments[0]))) {
      Node node = Fixture.node();
      state.settled("boot", node, Map.of());
      Map<String, Quantity> amounts =
          Map.of(Resources.CPU, Quantity.of(1), Resources.MEMORY, Quantity.of(1 << 20));
      Pod pod =
          Pod.of(
              "a",
              List.of(new Container("app", Container.Role.APP, new Resources(amounts, amounts))));
      Fixture.admit(node, pod);
      System.out.println("writes");
      state.admitted(pod, Fixture.spec("a"), node);
      System.out.println("written");
    }
  }
}
