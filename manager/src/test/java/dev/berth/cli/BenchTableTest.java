package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Stopwatch.Timing;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BenchTableTest {
  private static final String NAME = "fill/epyc-9654-2p-nps4/distribute/48/best-effort";

  @Test
  void aNarrowTerminalGetsShorterNamesAndAFileWholeOnes() {
    BenchTable narrow = BenchTable.of(NAME.length(), true, 60);
    assertThat(narrow.line(NAME, new Timing(1_500, 2_500_000, 9, ""), Optional.of(1234.0)))
        .isEqualTo("fill/epyc-9654-2p-n…     1.50 µs     2.50 ms         1,234 ×");
    assertThat(narrow.heading()).hasSize(60);
    BenchTable whole = BenchTable.of(NAME.length(), false, Integer.MAX_VALUE);
    assertThat(whole.line(NAME, new Timing(1, 2_000_000_000, 9, ""), Optional.empty()))
        .isEqualTo(NAME + "     0.00 µs      2.00 s");
  }
}
