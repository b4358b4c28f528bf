package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By lines as Linux 6.18 has them. */
class ProcessStatTest {
  private static final long PROGRAM = 0x40_0000;
  private static final long KERNEL = 0x20_8040;
  private static final long BOUND = 0x420_8040;

  private static ProcessStat read(String name, long parent, long flags) {
    String rest = " 0 0 0 0 0 0 0 0 -51 0 1 0 39 0 0 18446744073709551615";
    Optional<ProcessStat> stat =
        ProcessStat.parse(51, "51 (" + name + ") S " + parent + " 0 0 0 -1 " + flags + rest);
    return stat.orElseThrow();
  }

  @Test
  void readsWhatStandsBehindAnyName() {
    ProcessStat stat = read("a) b (irq/1", 7, PROGRAM);
    assertThat(stat).isEqualTo(new ProcessStat(51, false, 'S', 7, 0, PROGRAM, 1, 39));
    assertThat(ProcessStat.parse(51, "51 (cut) S 1 0")).isEmpty();
    assertThat(ProcessStat.parse(51, "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "kworker/1:0, 2, " + BOUND + ", true",
    "kthreadd, 0, " + KERNEL + ", true",
    "irq/25-ACPI:Ged, 2, " + KERNEL + ", true",
    "kdamond.0, 2, " + KERNEL + ", false",
    "irq/25-ACPI:Ged, 1, " + PROGRAM + ", false",
    "sleep, 0, " + PROGRAM + ", false",
  })
  void onlyTheKernelsOwnThreadsAreFixed(String name, long parent, long flags, boolean fixed) {
    assertThat(read(name, parent, flags).isFixed()).isEqualTo(fixed);
  }
}
