package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadStartTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "run -- true",
        "run -- true --help",
        "simulate -f a",
        "topology -o json",
        "topology -ojson",
        "agent",
        "bench --against a"
      })
  void isGivenToWhoeverReadsOrWritesTrees(String line) {
    assertThat(HeadStart.needTrees(List.of(line.split(" ")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "topology",
        "man",
        "config show",
        "bench --cold -o json",
        "simulate --help",
        "ps -h"
      })
  void isNotGivenToThoseWhoNeedNone(String line) {
    assertThat(HeadStart.needTrees(List.of(line.split(" ")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulate -f a -o html", "simulate -ohtml -f a"})
  void putsAPageTogetherForThoseWhoWantOne(String line) {
    assertThat(HeadStart.needPage(List.of(line.split(" ")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate -f a",
        "explain -f html",
        "html",
        "simulate -f a -o svg",
        "simulate --help -o html"
      })
  void putsNoneTogetherForOthers(String line) {
    assertThat(HeadStart.needPage(List.of(line.split(" ")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate -f a",
        "explain -f a --machine epyc-7702p",
        "explain -f a --reserved-cpus=0"
      })
  void decidesOnceForThoseWhoDecide(String line) {
    assertThat(HeadStart.needDecision(List.of(line.split(" ")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topology",
        "config show",
        "run -- simulate",
        "--help",
        "explain web",
        "explain --help",
        "explain -f a --machine b -h",
        "simulate --help",
        "explain -f a --socket b -o json"
      })
  void decidesNothingForOthers(String line) {
    assertThat(HeadStart.needDecision(List.of(line.split(" ")))).isFalse();
  }

  @Test
  void grantsWhatItDecides() {
    assertThat(HeadStart.decide()).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void namesCommandsThatThereAre() {
    assertThat(Commands.names())
        .containsAll(HeadStart.WITHOUT)
        .containsAll(HeadStart.DECIDING)
        .contains(HeadStart.TIMING);
  }

  @Test
  void nothingIsNoCommand() {
    assertThat(HeadStart.needTrees(List.of())).isFalse();
    assertThat(HeadStart.needPage(List.of())).isFalse();
    assertThat(HeadStart.needDecision(List.of())).isFalse();
  }
}
