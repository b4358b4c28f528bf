package dev.berth.measure;

import java.util.ArrayList;
import java.util.List;

/** What the report found missed of all that is asked, in the order in which it stands there. */
final class Verdicts {
  private final List<String> missed = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  /** One more thing that was asked; the answer is the end of a sentence for the report. */
  String of(String what, boolean reached) {
    if (!reached) {
      missed.add(what);
    }
    return reached ? "reached" : "**missed**";
  }

  /** What is no target, and who reads that all are reached ought to know. */
  void remark(String remark) {
    remarks.add(remark);
  }

  /** One line for the terminal. */
  String summary() {
    String verdict =
        missed.isEmpty() ? "all targets reached" : "missed: " + String.join(", ", missed);
    return remarks.isEmpty() ? verdict : verdict + "; " + String.join("; ", remarks);
  }
}
