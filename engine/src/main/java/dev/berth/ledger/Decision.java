package dev.berth.ledger;

import dev.berth.cpu.CpuSet;
import dev.berth.hints.Reason;
import java.util.List;
import java.util.Map;

/** What became of a pod: let in, or refused. */
public sealed interface Decision {
  /** How it came about. */
  Explanation why();

  /**
   * The pod was let in.
   *
   * @param cpus the CPUs of each container that has some of its own; the others share
   * @param why how it came about
   */
  record Granted(Map<String, CpuSet> cpus, Explanation why) implements Decision {
    /** The CPUs alone: an explanation is worked out only where it is asked for. */
    @Override
    public String toString() {
      return "granted " + cpus;
    }
  }

  /**
   * The pod was refused, and nothing is kept for it.
   *
   * @param reason the kind of refusal
   * @param message the sentence that Kubernetes shows, or ours where it has none
   * @param tried the containers that were tried, in order, up to the one that could not be given
   *     what it is owed; without it where no place for it was found
   * @param why how it came about, who holds what, and what would fit
   */
  record Refused(Reason reason, String message, List<String> tried, Explanation why)
      implements Decision {
    /** Takes a copy. */
    public Refused {
      tried = List.copyOf(tried);
    }

    /** Reason and message alone: an explanation is worked out only where it is asked for. */
    @Override
    public String toString() {
      return "refused: " + reason.kubernetesName() + ": " + message;
    }
  }
}
