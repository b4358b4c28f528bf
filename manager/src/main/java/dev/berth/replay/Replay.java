package dev.berth.replay;

import tools.jackson.databind.node.ObjectNode;

/** A case with our answer in the place of the recorded one. */
public final class Replay {
  private Replay() {}

  /**
   * The case as a line of JSON, our answer as {@code expect}.
   *
   * @param explained whether every admission tells how it came about
   */
  public static String answered(Scenario scenario, boolean explained) {
    ObjectNode answered = scenario.recorded().deepCopy();
    answered.set("expect", AnswerJson.write(Replayer.run(scenario), explained));
    return answered.toString();
  }
}
