package dev.berth.cli;

import dev.berth.json.Json;
import dev.berth.page.StoryPage;
import java.util.List;
import java.util.Set;

/**
 * What sets itself up slowly begins to do so while the command line is still being read, on another
 * CPU. Trees of JSON need {@link java.math.BigDecimal}, which reckons 20 ms before its first use; a
 * page is put together from many files, and the JDK looks for what makes their checksums.
 */
final class HeadStart {
  /** Commands that need no tree of JSON, unless their answer is to be one. */
  static final Set<String> WITHOUT =
      Set.of("topology", "machines", "config", "completion", "man", "help", "bench");

  private HeadStart() {}

  /** Returns at once. Whoever comes too soon waits for what was begun. */
  static void give(List<String> arguments) {
    boolean trees = needTrees(arguments);
    boolean page = needPage(arguments);
    if ((trees || page) && Runtime.getRuntime().availableProcessors() > 1) {
      Thread.ofPlatform().name("berth-head-start").daemon().start(() -> prepare(trees, page));
    }
  }

  private static void prepare(boolean trees, boolean page) {
    if (trees) {
      Json.prepare();
    }
    if (page) {
      StoryPage.prepare();
    }
  }

  static boolean needTrees(List<String> arguments) {
    if (arguments.isEmpty() || arguments.getFirst().startsWith("-")) {
      return false;
    }
    return !WITHOUT.contains(arguments.getFirst()) || endsOne(arguments, "json");
  }

  static boolean needPage(List<String> arguments) {
    return !arguments.isEmpty()
        && arguments.getFirst().equals("simulate")
        && endsOne(arguments, "html");
  }

  // A loop, for the JVM's cache holds no lambda that nobody was shown.
  private static boolean endsOne(List<String> arguments, String ending) {
    for (String word : arguments) {
      if (word.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }
}
