package dev.berth.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Programs of the Kubernetes project, built by {@code e2e/clients/prepare}. */
public final class Clients {
  private Clients() {}

  /** A program by its name. Where it was not built, the test that asks is skipped. */
  public static String program(String name) {
    Path path = Path.of("../target/e2e/bin", name).toAbsolutePath().normalize();
    Assumptions.assumeTrue(
        Files.isExecutable(path), "no target/e2e/bin/" + name + " (e2e/clients/prepare builds it)");
    return path.toString();
  }
}
