package dev.berth.ledger;

/** What becomes of what somebody has, under other rules or on another machine. */
public sealed interface Outcome {
  /** What they had. */
  Holding from();

  /** What they have now. */
  Holding to();

  /**
   * Nothing changes.
   *
   * @param from what they had and have
   */
  record Kept(Holding from) implements Outcome {
    @Override
    public Holding to() {
      return from;
    }
  }

  /**
   * They have something else instead.
   *
   * @param from what they had
   * @param to what they have now
   * @param why it could not stay, in one line
   */
  record Moved(Holding from, Holding to, String why) implements Outcome {}

  /**
   * They lose CPUs of their own, or get none that they are owed, and run on the shared pool.
   *
   * @param from what they had
   * @param to what is left of it
   * @param why it could not stay, and nothing else be found, in one line
   */
  record Displaced(Holding from, Holding to, String why) implements Outcome {}
}
