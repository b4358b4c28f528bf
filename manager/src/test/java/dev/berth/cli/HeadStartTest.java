package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadStartTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"run -- true", "simulate -f a", "topology -o json", "topology -ojson", "agent"})
  void isGivenToWhoeverReadsOrWritesTrees(String line) {
    assertThat(HeadStart.isWorthIt(List.of(line.split(" ")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "topology", "man", "config show"})
  void isNotGivenToThoseWhoNeedNone(String line) {
    assertThat(HeadStart.isWorthIt(List.of(line.split(" ")))).isFalse();
  }

  @Test
  void namesCommandsThatThereAre() {
    assertThat(Commands.names()).containsAll(HeadStart.WITHOUT);
  }

  @Test
  void nothingIsNoCommand() {
    assertThat(HeadStart.isWorthIt(List.of())).isFalse();
  }
}
