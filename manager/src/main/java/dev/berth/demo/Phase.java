package dev.berth.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Under what circumstances the probe runs. */
public enum Phase {
  /** Before the neighbours come: what the machine does by itself. */
  IDLE,
  /** On the same CPUs as the neighbours. */
  SHARED,
  /** On CPUs of its own, while the neighbours go on with the others. */
  EXCLUSIVE;

  /** As programs call it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The order of slices: idle, then so many pairs. Every other pair is turned around, so that what
   * gets better or worse with time does so for both.
   */
  public static List<Phase> slices(int pairs) {
    List<Phase> slices = new ArrayList<>(List.of(IDLE));
    for (int pair = 0; pair < pairs; pair++) {
      slices.add(pair % 2 == 0 ? SHARED : EXCLUSIVE);
      slices.add(pair % 2 == 0 ? EXCLUSIVE : SHARED);
    }
    return slices;
  }
}
