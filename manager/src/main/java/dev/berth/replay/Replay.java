package dev.berth.replay;

import dev.berth.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** A case with our answer in the place of the recorded one. */
public final class Replay {
  private Replay() {}

  /**
   * The case as a line of JSON, our answer as {@code expect}.
   *
   * @param explained whether every admission tells how it came about
   */
  public static String answered(RecordedCase one, boolean explained) {
    ObjectNode answered = one.recorded().deepCopy();
    answered.set(
        "expect",
        switch (one) {
          case Scenario scenario -> AnswerJson.write(Replayer.run(scenario), explained);
          case MergeCase merge -> merge.answer();
        });
    return Json.write(answered);
  }
}
