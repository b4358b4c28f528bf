package dev.berth.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How long a CPU with nothing to do may take to wake: {@code power/pm_qos_resume_latency_us} of
 * each, which the kernel's cpuidle heeds when it chooses how deeply a CPU sleeps. There is one
 * value for a CPU, whoever sets it.
 */
public final class ResumeLatency {
  /** No time at all: the CPU polls, or sleeps as lightly as it can. */
  public static final String NONE = "n/a";

  /** As long as it takes, which is how a machine starts. */
  public static final String ANY = "0";

  private static final int LONGEST = 20;

  private final Path cpus;

  private ResumeLatency(Path cpus) {
    this.cpus = cpus;
  }

  /** Of this machine. */
  public static ResumeLatency here() {
    return below(Path.of("/"));
  }

  /** The same below another root than the machine's own. */
  public static ResumeLatency below(Path root) {
    return new ResumeLatency(root.resolve("sys/devices/system/cpu"));
  }

  /** Whether a text is such a value: {@link #NONE}, or microseconds. */
  public static boolean isValue(String text) {
    return text.equals(NONE) || text.matches("[0-9]{1,10}");
  }

  /** Where it stands. */
  public Path file(int cpu) {
    return cpus.resolve("cpu" + cpu + "/power/pm_qos_resume_latency_us");
  }

  /**
   * What a CPU has.
   *
   * @throws IOException in one line where there is no such file, or something else in it
   */
  public String read(int cpu) throws IOException {
    try {
      String text = SmallFile.text(file(cpu).toString()).strip();
      if (!isValue(text)) {
        String shown = text.substring(0, Math.min(LONGEST, text.length()));
        throw new IOException("expected n/a or microseconds, found \"" + shown + "\"");
      }
      return text;
    } catch (IOException e) {
      throw failed(cpu, e);
    }
  }

  /**
   * Looks whether the kernel heeds what a CPU has: without a cpuidle driver the file is there all
   * the same, and means nothing.
   *
   * @throws IOException in one line where it does not
   */
  public void expectHeeded() throws IOException {
    Path file = cpus.resolve("cpuidle/current_driver");
    String driver = Files.isReadable(file) ? SmallFile.text(file.toString()).strip() : "none";
    if (driver.isEmpty() || driver.equals("none")) {
      throw new IOException(file + ": expected a driver of idle CPUs, found none");
    }
  }

  /**
   * Looks whether a CPU could be given another value.
   *
   * @throws IOException in one line where it could not
   */
  public void expectWritable(int cpu) throws IOException {
    if (!Files.isWritable(file(cpu))) {
      throw failed(cpu, new AccessDeniedException(file(cpu).toString()));
    }
  }

  /**
   * Gives a CPU a value.
   *
   * @throws IOException in one line where that cannot be
   */
  public void write(int cpu, String value) throws IOException {
    try {
      Files.writeString(
          file(cpu),
          value,
          StandardCharsets.US_ASCII,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw failed(cpu, e);
    }
  }

  private IOException failed(int cpu, IOException failure) {
    String words =
        switch (failure) {
          case NoSuchFileException _ -> "expected the kernel to have it, found none";
          case AccessDeniedException _ -> "expected it to be writable, found that it is not";
          case FileSystemException known when known.getReason() != null -> known.getReason();
          default -> String.valueOf(failure.getMessage());
        };
    return new IOException(file(cpu) + ": " + words, failure);
  }
}
