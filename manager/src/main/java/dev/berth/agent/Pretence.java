package dev.berth.agent;

/** Why an agent touches nothing on the machine, if it does not. */
public enum Pretence {
  /** It does what it decides. */
  NONE(""),
  /** It decides for a machine that is not this one. */
  SIMULATED_MACHINE("simulated machine: nothing is enforced"),
  /** It decides for this machine, and leaves it as it is. */
  DRY_RUN("dry run: nothing is enforced");

  private final String caution;

  Pretence(String caution) {
    this.caution = caution;
  }

  /** What everybody should know who looks; empty where there is nothing. */
  String caution() {
    return caution;
  }
}
