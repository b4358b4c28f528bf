package dev.berth.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which run of the machine this is. */
final class Boot {
  private Boot() {}

  /** The kernel's own name for it, which no other run has. */
  static String id() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }
}
