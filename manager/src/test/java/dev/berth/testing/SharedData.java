package dev.berth.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Recorded machines and cases that live beside the repository, not in it.
 *
 * <p>Where they are absent, the test that asks is skipped and its reason reaches the summary of
 * {@code ./verify}.
 */
public final class SharedData {
  private SharedData() {}

  /**
   * A file or folder of the recordings.
   *
   * @param relative its path, such as {@code conformance/cpu.jsonl.gz}
   */
  public static Path path(String relative) {
    Path path = Path.of(System.getProperty("berth.shared", "../../shared")).resolve(relative);
    Assumptions.assumeTrue(
        Files.exists(path), "no " + relative + " (set BERTH_SHARED to the folder that holds it)");
    return path;
  }
}
