package dev.berth.deviceplugin;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The folder in which plugins and the node find each other. */
final class PluginFolder {
  private static final int KIND = 0170000;
  private static final int SOCKET = 0140000;

  private PluginFolder() {}

  /**
   * Makes the folder, or clears an old one of its sockets: plugins that are alive notice, and
   * register anew. Other files stay.
   */
  static void prepare(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (isSocket(file)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static boolean isSocket(Path file) throws IOException {
    try {
      return ((Integer) Files.getAttribute(file, "unix:mode") & KIND) == SOCKET;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
