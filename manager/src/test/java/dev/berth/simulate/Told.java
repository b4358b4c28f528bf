package dev.berth.simulate;

import dev.berth.story.Step;
import dev.berth.story.Story;
import java.util.ArrayList;
import java.util.List;

/** A simulation that ran: the story with all its steps, and what it comes to. */
record Told(Story story, Figures figures) {
  static Told of(Scenario scenario, int explained) {
    Simulation simulation = Simulation.of(scenario);
    List<Step> kept = new ArrayList<>();
    Figures figures = simulation.run(explained, kept::add);
    return new Told(simulation.opening().with(kept), figures);
  }
}
