package dev.berth.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs of the Kubernetes project, built by {@code prepare} in {@code e2e/clients} and {@code
 * e2e/kubelet}.
 */
public final class Clients {
  private Clients() {}

  /** A program by its name. Where it was not built, the test that asks is skipped. */
  public static String program(String name) {
    Path path = Path.of("../target/e2e/bin", name).toAbsolutePath().normalize();
    Assumptions.assumeTrue(
        Files.isExecutable(path),
        "no target/e2e/bin/" + name + " (./verify builds it, by prepare in e2e)");
    return path.toString();
  }
}
