package dev.berth.allocation;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a decision writes down its steps, if anybody asked.
 *
 * <p>Rules test {@link #on} before they make a step, so that {@link #OFF} costs one field read. Not
 * safe for several threads; every explanation has its own.
 */
public final class Trace {
  /** Writes nothing down. */
  public static final Trace OFF = new Trace(false);

  private final boolean on;
  private final List<Step> steps = new ArrayList<>();

  private Trace(boolean on) {
    this.on = on;
  }

  /** One that writes down every step. */
  public static Trace recording() {
    return new Trace(true);
  }

  /** Whether steps are written down. */
  public boolean on() {
    return on;
  }

  /** Writes down a step. */
  public void add(Step step) {
    if (on) {
      steps.add(step);
    }
  }

  /** The steps so far. */
  public List<Step> steps() {
    return List.copyOf(steps);
  }
}
