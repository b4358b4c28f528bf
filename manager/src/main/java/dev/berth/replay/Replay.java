package dev.berth.replay;

import tools.jackson.databind.node.ObjectNode;

/** A case with our answer in the place of the recorded one. */
public final class Replay {
  private Replay() {}

  /** The case as a line of JSON, our answer as {@code expect}. */
  public static String answered(Scenario scenario) {
    ObjectNode answered = scenario.recorded().deepCopy();
    answered.set("expect", AnswerJson.write(Replayer.run(scenario)));
    return answered.toString();
  }
}
