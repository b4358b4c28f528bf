package dev.berth.simulate;

import dev.berth.story.Story;
import dev.berth.workload.Pod;

/**
 * A pod that comes to the machine, or is there from the start.
 *
 * @param told how a story names it
 * @param pod what the engine decides on
 * @param known whether the pod is all that is known of it; a checkpoint does not tell whether
 *     containers that share CPUs do so one after the other, so such a pod can stay but not move
 */
public record Visitor(Story.Told told, Pod pod, boolean known) {
  /** The same, with a word on it that says how long it would stay. */
  Visitor staying(long millis) {
    return new Visitor(Schedule.withStay(told, millis), pod, known);
  }

  /** One of which all is known. */
  static Visitor of(Story.Told told, Pod pod) {
    return new Visitor(told, pod, true);
  }
}
