package dev.berth.replay;

import dev.berth.ledger.Configuration;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A recorded case: a machine, a configuration, steps, and perhaps what Kubernetes answered.
 *
 * @param id its name
 * @param machine the machine
 * @param configuration how to decide
 * @param steps what happens, in order
 * @param recorded the case as it was read, expectation included
 */
public record Scenario(
    String id,
    Machine machine,
    Configuration configuration,
    List<CaseStep> steps,
    ObjectNode recorded)
    implements RecordedCase {
  /** Something that happens to a node. */
  public sealed interface CaseStep {
    /**
     * A pod asks to be let in.
     *
     * @param pod the pod
     */
    record Admit(Pod pod) implements CaseStep {}

    /**
     * A pod is gone.
     *
     * @param uid which
     */
    record Remove(String uid) implements CaseStep {}

    /** The node starts again from its checkpoint, and every running pod asks again. */
    record Restart() implements CaseStep {}
  }
}
