package dev.berth.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The shell script that runs a container, as a file, so that a list of processes shows its name and
 * not its text.
 *
 * <p>A shell reads its script while it runs, and outlives the agent. So the file is never written
 * to: another version of it has another name, and those that run keep the one that they opened.
 */
final class ShimProgram {
  private static final String NAME = "berth-shim-";
  private static final String SCRIPT = script();

  private final Path folder;
  private final Path file;

  /** The one in a folder, which is written where it is needed. */
  ShimProgram(Path folder) {
    this.folder = folder;
    file = folder.resolve(NAME + Integer.toHexString(SCRIPT.hashCode()));
  }

  private static String script() {
    try (InputStream in = ShimProgram.class.getResourceAsStream("shim.sh")) {
      if (in == null) {
        throw new IllegalStateException("shim.sh is not packed with its class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("shim.sh cannot be read", e);
    }
  }

  /** Writes it anew, whatever is there, and removes those of other versions. */
  void install() throws IOException {
    remove();
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, SCRIPT, StandardOpenOption.WRITE);
    // Whole or not at all, wherever the agent is killed.
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Where it is; written again where it was removed. */
  Path file() throws IOException {
    if (!Files.exists(file)) {
      install();
    }
    return file;
  }

  /** Removes every version. */
  void remove() throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, NAME + "*")) {
      for (Path one : all) {
        Files.deleteIfExists(one);
      }
    }
  }
}
