package dev.berth.agent.state;

import dev.berth.ledger.Holding;
import java.util.List;

/** A line of the journal: something that happened, or that was so when the journal was begun. */
sealed interface Entry {
  /**
   * The first line.
   *
   * @param version of the format; a newer one is not read
   * @param bootId the kernel's id of the boot during which it was written
   * @param policy the CPU policy's name
   * @param options the names of the policy's options that were on
   */
  record Header(int version, String bootId, String policy, List<String> options) implements Entry {}

  /**
   * A pod was let in or refused, or was there when the journal was begun.
   *
   * @param pod all that is known of it
   */
  record Known(PodRecord pod) implements Entry {}

  /**
   * Somebody of whom no more is known than what is theirs.
   *
   * @param uid what they are known by
   * @param holding what they have
   * @param found whether a running container of ours is all that tells of it: it ends with that
   */
  record Unknown(String uid, Holding holding, boolean found) implements Entry {}

  /**
   * A pod was told to stop.
   *
   * @param uid of the pod
   */
  record Stopping(String uid) implements Entry {}

  /**
   * A pod is over.
   *
   * @param uid of the pod
   * @param how it ended
   * @param holding what it goes on having, as a rule nothing
   */
  record Ended(String uid, Standing.Ended how, Holding holding) implements Entry {}

  /**
   * A pod is gone, and what it had is given back.
   *
   * @param uid of the pod
   */
  record Removed(String uid) implements Entry {}
}
