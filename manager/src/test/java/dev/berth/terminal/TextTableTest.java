package dev.berth.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private static final List<List<String>> ROWS =
      List.of(
          List.of("POD", "STATE", "CPUS"),
          List.of("matching-engine-of-the-day", "Failed: UnexpectedAdmissionError", "2-3,66-67"));

  private static final String WHOLE =
      """
      POD                         STATE                             CPUS
      matching-engine-of-the-day  Failed: UnexpectedAdmissionError  2-3,66-67
      """;

  @Test
  void aTableThatFitsIsLeftAsItIs() {
    assertThat(TextTable.shortened(ROWS, 200, 1).toString()).isEqualTo(WHOLE);
    assertThat(TextTable.shortened(ROWS, Integer.MAX_VALUE, 1).toString()).isEqualTo(WHOLE);
  }

  @Test
  void theFirstColumnNamedGivesWayFirst() {
    assertThat(TextTable.shortened(ROWS, 60, 1, 0).toString())
        .isEqualTo(
            """
            POD                         STATE                  CPUS
            matching-engine-of-the-day  Failed: UnexpectedAd…  2-3,66-67
            """);
  }

  @Test
  void noLineIsEverLonger() {
    for (int width = 1; width < 90; width++) {
      int most = width;
      assertThat(TextTable.shortened(ROWS, width, 1, 0).lines())
          .as("width %d", width)
          .hasSize(2)
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(most));
    }
  }

  @Test
  void whatIsTooLongInTheLastColumnGoesOnBelowIt() {
    List<List<String>> rows =
        List.of(List.of("xeon", "two sockets of sixty cores"), List.of("epyc", "one"));
    assertThat(TextTable.wrapped(rows, 20).lines())
        .containsExactly("xeon  two sockets of", "      sixty cores", "epyc  one");
    assertThat(TextTable.wrapped(rows, Integer.MAX_VALUE).lines())
        .containsExactly("xeon  two sockets of sixty cores", "epyc  one");
  }

  @Test
  void expendableColumnsAreLeftOutFirst() {
    assertThat(TextTable.shedding(ROWS, 40, List.of(1, 0), 2).lines())
        .containsExactly(
            "POD                         CPUS", "matching-engine-of-the-day  2-3,66-67");
    assertThat(TextTable.shedding(ROWS, 30, List.of(1), 0).lines())
        .containsExactly("POD                  CPUS", "matching-engine-of…  2-3,66-67");
    assertThat(TextTable.shedding(ROWS, Integer.MAX_VALUE, List.of(1, 0), 2).toString())
        .isEqualTo(WHOLE);
  }

  @Test
  void wordsAreBrokenBetweenThem() {
    assertThat(Words.wrapped("  one two three", 9)).containsExactly("  one two", "  three");
    assertThat(Words.wrapped("unbreakable", 4)).containsExactly("unbr", "eaka", "ble");
    assertThat(Words.wrapped("", 4)).containsExactly("");
    assertThat(Words.cut("abc", 0)).isEmpty();
  }
}
