package dev.berth.relief;

import dev.berth.ledger.Holding;

/** One thing to be done on a machine that runs, when a plan is carried out. */
public sealed interface Act {
  /** The pod it is done with, by uid. */
  String pod();

  /** A pod changes its CPUs while it runs; those it comes to are free at that moment. */
  record Shift(Move move) implements Act {
    @Override
    public String pod() {
      return move.pod();
    }
  }

  /**
   * A pod has to be stopped for a while: those it is to have are not free yet, or it changes memory
   * or devices, which cannot be done while it runs.
   */
  record Stop(Move move) implements Act {
    @Override
    public String pod() {
      return move.pod();
    }
  }

  /**
   * The refused pod is let in.
   *
   * @param place what it gets
   */
  record Admit(String pod, Holding place) implements Act {}

  /** A pod that was stopped is let in again. */
  record Restart(Move move) implements Act {
    @Override
    public String pod() {
      return move.pod();
    }
  }
}
