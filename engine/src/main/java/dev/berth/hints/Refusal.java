package dev.berth.hints;

/**
 * Why a pod was refused.
 *
 * @param reason the kind, as a pod's status names it
 * @param message the sentence that goes with it
 */
public record Refusal(Reason reason, String message) {
  /** What a manager could not do, in the words in which Kubernetes wraps it. */
  public static Refusal unexpected(String what) {
    return new Refusal(
        Reason.UNEXPECTED, "Allocate failed due to " + what + ", which is unexpected");
  }
}
