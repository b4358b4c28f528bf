package dev.berth.agent.state;

/** How far a pod has come. */
public sealed interface Standing {
  /** It was let in, and was not told to stop. */
  record Admitted() implements Standing {}

  /** It was told to stop, and has not ended yet. */
  record Stopping() implements Standing {}

  /**
   * It is over.
   *
   * @param phase how, in the agent's words
   * @param exits the exit codes, as the agent's own JSON
   */
  record Ended(String phase, String exits) implements Standing {}

  /**
   * It was not let in.
   *
   * @param reason why, in the agent's words
   */
  record Refused(String reason) implements Standing {}
}
