package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.story.Step;
import java.util.Optional;

/**
 * A step of the agent's story.
 *
 * @param number counted from 1 over all stories
 * @param about whose it is; none for a note
 * @param json the step, with 0 for the number of its pod
 * @param shared the shared pool from then on, where it has changed
 */
record StoryEntry(
    long number, Optional<Figure> about, Step.Kind kind, String json, Optional<CpuSet> shared) {
  int bytes() {
    return json.length() + about.map(figure -> figure.json().length()).orElse(0);
  }
}
