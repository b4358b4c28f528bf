package dev.berth.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/**
 * The program that {@code bench/runtimes} starts: measures one thing with a real agent, a JSON line
 * on standard output for every time it was tried. What is asked of the figures is not known here.
 */
final class Measuring {
  /** As the scripts have it that prepare runtimes. */
  private static final int LEFT_OUT = 3;

  private Measuring() {}

  /** The name of the PART, and a FOLDER that is empty. */
  public static void main(String... words) throws Exception {
    try {
      measure(words[0], Files.createDirectories(Path.of(words[1])));
    } catch (TestAbortedException e) {
      System.err.println(String.valueOf(e.getMessage()).replace("Assumption failed: ", ""));
      System.exit(LEFT_OUT);
    }
  }

  private static void measure(String part, Path folder) throws Exception {
    switch (part) {
      case "nri/answer" -> NriFigures.answers(folder);
      case "nri/added" -> NriFigures.added(folder);
      case "agent/pass" -> AgentFigures.passes(folder);
      case "agent/admission" -> AgentFigures.admissions(folder);
      case "cri/events" -> CriFigures.withEvents(folder);
      case "cri/listing" -> CriFigures.byListing(folder);
      case "return/agent" -> ReturnFigures.ofAgents(folder);
      case "return/runtime" -> ReturnFigures.ofRuntimes(folder);
      case "return/stall" -> ReturnFigures.fromStalls(folder);
      default ->
          throw new IllegalArgumentException(
              "expected a part as bench/runtimes has them, found \"" + part + "\"");
    }
  }
}
