package dev.berth.cli;

import dev.berth.json.Json;
import java.util.List;
import java.util.Set;

/**
 * What sets itself up slowly begins to do so while the command line is still being read, on another
 * CPU. Trees of JSON need {@link java.math.BigDecimal}, which reckons 20 ms before its first use.
 */
final class HeadStart {
  /** Commands that need no such tree, unless their answer is to be one. */
  static final Set<String> WITHOUT =
      Set.of("topology", "machines", "config", "completion", "man", "help", "bench");

  private HeadStart() {}

  /** Returns at once. Whoever comes too soon waits for what was begun. */
  static void give(List<String> arguments) {
    if (isWorthIt(arguments) && Runtime.getRuntime().availableProcessors() > 1) {
      Thread.ofPlatform().name("berth-head-start").daemon().start(Json::prepare);
    }
  }

  static boolean isWorthIt(List<String> arguments) {
    if (arguments.isEmpty() || arguments.getFirst().startsWith("-")) {
      return false;
    }
    boolean isWorthIt = !WITHOUT.contains(arguments.getFirst());
    for (String word : arguments) {
      isWorthIt |= word.endsWith("json");
    }
    return isWorthIt;
  }
}
