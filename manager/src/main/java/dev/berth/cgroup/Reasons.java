package dev.berth.cgroup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why something failed, in a few words. */
final class Reasons {
  private Reasons() {}

  static String of(IOException failure) {
    String words =
        switch (failure) {
          case NoSuchFileException ignored -> "the group is gone";
          case AccessDeniedException ignored -> "permission denied";
          case FileSystemException known when known.getReason() != null -> known.getReason();
          default -> String.valueOf(failure.getMessage());
        };
    return words.replaceAll("\\s*\\R\\s*", " ");
  }
}
