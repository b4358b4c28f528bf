package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.json.Json;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.ledger.TopologySettings;
import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.page.StoryPage;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What sets itself up slowly begins to do so while the command line is still being read, on another
 * CPU. Trees of JSON need {@link java.math.BigDecimal}, which reckons 20 ms before its first use; a
 * page is put together from many files, and the JDK looks for what makes their checksums. Of the
 * switches over types in a first decision the JVM makes classes that no cache holds.
 */
final class HeadStart {
  /** Commands that need no tree of JSON, unless their answer is to be one. */
  static final Set<String> WITHOUT =
      Set.of("topology", "machines", "config", "completion", "man", "help");

  /** It writes its lines without a tree, and reads one only beside another program. */
  static final String TIMING = "bench";

  /** Commands that let the engine decide, and in this process unless they ask an agent. */
  static final Set<String> DECIDING = Set.of("explain", "simulate");

  private HeadStart() {}

  /** Returns at once. Whoever comes too soon waits for what was begun, or does it as well. */
  static void give(List<String> arguments) {
    boolean trees = needTrees(arguments);
    boolean page = needPage(arguments);
    boolean decision = needDecision(arguments);
    if ((trees || page || decision) && Runtime.getRuntime().availableProcessors() > 1) {
      Thread.ofPlatform()
          .name("berth-head-start")
          .daemon()
          .start(() -> prepare(trees, page, decision));
    }
  }

  private static void prepare(boolean trees, boolean page, boolean decision) {
    if (trees) {
      Json.prepare();
    }
    if (page) {
      StoryPage.prepare();
    }
    if (decision) {
      var _ = decide();
    }
  }

  /** On two nodes and aligned, so that hints are made and merged as well. */
  static Decision decide() {
    Configuration aligned =
        Configuration.staticPolicy(CpuSet.of(0))
            .with(new TopologySettings(Policy.BEST_EFFORT, Scope.CONTAINER, Map.of()));
    return Node.start(Machines.parse("node:2 core:2 pu:1"), aligned)
        .admit(Pod.guaranteed("first", 1));
  }

  static boolean needTrees(List<String> arguments) {
    if (arguments.isEmpty() || arguments.getFirst().startsWith("-") || askForHelp(arguments)) {
      return false;
    }
    if (arguments.getFirst().equals(TIMING)) {
      return beginsOne(arguments, "--against");
    }
    return !WITHOUT.contains(arguments.getFirst()) || endsOne(arguments, "json");
  }

  static boolean needDecision(List<String> arguments) {
    if (arguments.isEmpty() || !DECIDING.contains(arguments.getFirst()) || askForHelp(arguments)) {
      return false;
    }
    return !arguments.getFirst().equals("explain") || namesMoreThanAnAgent(arguments);
  }

  /** An agent explains, unless a machine, a configuration or a state is named. */
  private static boolean namesMoreThanAnAgent(List<String> arguments) {
    for (String word : arguments) {
      if (word.startsWith("--") && !word.startsWith("--socket")) {
        return true;
      }
    }
    return false;
  }

  static boolean needPage(List<String> arguments) {
    return !arguments.isEmpty()
        && arguments.getFirst().equals("simulate")
        && endsOne(arguments, "html")
        && !askForHelp(arguments);
  }

  /** Behind {@code --} are the words of another program. */
  private static boolean askForHelp(List<String> arguments) {
    for (String word : arguments) {
      if (word.equals("--")) {
        return false;
      }
      if (word.equals("--help") || word.equals("-h")) {
        return true;
      }
    }
    return false;
  }

  private static boolean beginsOne(List<String> arguments, String beginning) {
    for (String word : arguments) {
      if (word.startsWith(beginning)) {
        return true;
      }
    }
    return false;
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
