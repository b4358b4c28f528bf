package dev.berth.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Groups with what they have, a line each: {@code FOLDER/FILE: VALUE}. */
final class GroupListing {
  private static final Pattern SHOWN =
      Pattern.compile(
          "cgroup\\.(procs|controllers|subtree_control|events|type)"
              + "|cpuset\\.(cpus|mems|effective_cpus|effective_mems|cpu_exclusive)"
              + "|cpuset\\.(cpus|mems)\\.(effective|partition|exclusive)"
              + "|cpu\\.(max|weight|shares|cfs_quota_us|cfs_period_us|stat)"
              + "|memory\\.(max|current|limit_in_bytes|usage_in_bytes|events)"
              + "|hugetlb\\.[0-9A-Z]+\\.(max|current|limit_in_bytes|usage_in_bytes)");

  private GroupListing() {}

  static String of(List<Path> tops) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path top : tops) {
      if (Files.isDirectory(top)) {
        try (Stream<Path> files = Files.walk(top)) {
          files
              .filter(file -> SHOWN.matcher(String.valueOf(file.getFileName())).matches())
              .sorted()
              .forEach(file -> text.append(file).append(": ").append(value(file)).append('\n'));
        }
      }
    }
    return text.toString();
  }

  private static String value(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return text.strip().replaceAll("\\R", "; ");
    } catch (IOException e) {
      // Some files of some kernels can only be written, and groups come and go.
      return "(cannot be read: " + e.getMessage() + ")";
    }
  }
}
