package dev.berth.cli;

import java.util.ArrayList;
import java.util.List;

/** Of the explanation of a refusal, what would have helped and what to do next. */
final class WhatHelps {
  private static final String NEVER = "it would not fit on this machine even if it were empty";
  private static final List<String> BEGINNINGS = List.of("fits ", NEVER, "no single pod's leaving");

  private WhatHelps() {}

  static List<String> lines(List<String> why) {
    List<String> lines = new ArrayList<>();
    for (String line : why) {
      String words = line.strip();
      if (BEGINNINGS.stream().anyMatch(words::startsWith)) {
        lines.add(words);
      }
    }
    if (lines.equals(List.of(NEVER))) {
      lines.add("have it ask for less, or try another --machine or configuration (--compare)");
    }
    return lines;
  }
}
