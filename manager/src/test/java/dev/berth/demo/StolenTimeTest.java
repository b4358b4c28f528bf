package dev.berth.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.Posix;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StolenTimeTest {
  private static final String STAT =
      """
      cpu  999 999 999 999 999 999 999 999 0 0
      cpu0 100 0 50 800 10 5 5 30 1 2
      cpu1 200 0 0 700 0 0 0 400 3 4
      cpu10 5 5 5 5 5 5 5 5000 0 0
      intr 1 2 3
      """;

  @TempDir private Path folder;

  private long ticks(CpuSet cpus, String stat) throws IOException {
    Path file = Files.writeString(folder.resolve("stat"), stat);
    try (StolenTime stolen = new StolenTime(cpus, file)) {
      assertThat(stolen.ticks()).as("as often as one likes").isEqualTo(stolen.ticks());
      return stolen.ticks();
    }
  }

  @Test
  void isThatOfTheCpusInQuestionAlone() throws IOException {
    assertThat(ticks(CpuSet.of(0), STAT)).isEqualTo(30);
    assertThat(ticks(CpuSet.of(1), STAT)).isEqualTo(400);
    assertThat(ticks(CpuSet.of(0, 10), STAT)).isEqualTo(5_030);
    assertThat(ticks(CpuSet.range(0, 63), STAT)).as("those that are there").isEqualTo(5_430);
  }

  @Test
  void followsTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("stat"), STAT);
    try (StolenTime stolen = new StolenTime(CpuSet.of(1), file)) {
      assertThat(stolen.ticks()).isEqualTo(400);
      Files.writeString(file, STAT.replace(" 400 ", " 401 "));
      assertThat(stolen.ticks()).isEqualTo(401);
    }
  }

  @Test
  void refusesWhereNoneOfTheCpusIsThere() {
    assertThatThrownBy(() -> ticks(CpuSet.of(7), STAT))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("/proc/stat: expected CPUs 7, found none of them");
    assertThatThrownBy(() -> ticks(CpuSet.of(0), "")).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void agreesWithWhatBecameOfAllTimeAndLeavesNoGarbage() throws IOException {
    CpuSet cpus = Posix.affinity(0);
    Path stat = Path.of("/proc/stat");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (StolenTime stolen = StolenTime.of(cpus)) {
      long before = CpuTime.of(cpus, Files.readString(stat)).stolen();
      assertThat(stolen.ticks())
          .isBetween(before, CpuTime.of(cpus, Files.readString(stat)).stolen());
      System.out.println("a reading of /proc/stat: " + stolen.cost() + " ns");
      long allocated = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        stolen.ticks();
      }
      assertThat(threads.getCurrentThreadAllocatedBytes() - allocated).isLessThan(16_000);
    }
  }
}
