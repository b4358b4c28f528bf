package dev.berth.start;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.ResumeLatency;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * For tests in which real CPUs are kept awake. There is one setting for each on the whole machine,
 * so such tests take turns, in whichever JVM they run.
 */
public final class RealIdleStates implements BeforeEachCallback, AfterEachCallback {
  private static final Path TURN =
      Path.of(System.getProperty("java.io.tmpdir"), "berth-tests-idle-states.lock");

  private @Nullable FileChannel turn;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    FileChannel file = FileChannel.open(TURN, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    turn = file;
    file.lock();
  }

  /** Whether CPUs of this machine can be kept awake, at least the first two. */
  public static boolean areThere() {
    ResumeLatency kernel = ResumeLatency.here();
    try {
      kernel.expectHeeded();
      return Files.isWritable(kernel.file(0)) && Files.isWritable(kernel.file(1));
    } catch (IOException e) {
      return false;
    }
  }

  /** Skips a test where they cannot. */
  public static void assumeThere() {
    assumeTrue(areThere(), "no idle states of CPUs to choose from");
  }

  /** What is closed is unlocked. */
  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    if (turn != null) {
      turn.close();
    }
  }
}
