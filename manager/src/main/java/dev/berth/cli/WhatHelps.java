package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;

/** Of the explanation of a refusal, what would have helped and what to do next. */
final class WhatHelps {
  private static final String NEVER = "it would not fit on this machine even if it were empty";
  private static final List<String> BEGINNINGS =
      List.of("fits ", "moving ", NEVER, "no single pod's leaving");

  private WhatHelps() {}

  static List<String> lines(List<String> why) {
    List<String> lines = new ArrayList<>();
    int depth = Integer.MAX_VALUE;
    for (String line : why) {
      String words = line.strip();
      int indent = line.length() - line.stripLeading().length();
      if (BEGINNINGS.stream().anyMatch(words::startsWith)) {
        depth = indent;
        lines.add(words);
      } else if (indent > depth) {
        // The moves of a plan stand below the line that says how many there are.
        lines.add(line.substring(depth));
      } else {
        depth = Integer.MAX_VALUE;
      }
    }
    if (lines.contains(NEVER) && lines.stream().noneMatch(line -> line.startsWith("fits "))) {
      lines.add("have it ask for less, or try another --machine or configuration (--compare)");
    }
    return lines;
  }
}
