package dev.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.terminal.Key;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchModelTest {
  private final WatchModel model = new WatchModel();

  @BeforeEach
  void see() {
    model.take(Scenes.crowded(Machines.named("laptop-2-core")));
  }

  private void press(String keys) {
    keys.chars().forEach(key -> model.take(new News.Pressed(Key.of((char) key))));
  }

  private void press(Key.Kind key) {
    model.take(new News.Pressed(Key.of(key)));
  }

  @Test
  void theFilterLeavesWhoMatches() {
    press("/TOPOLOGY");
    assertThat(model.pods()).extracting(PodLine::title).containsExactly("late");
    press(Key.Kind.BACKSPACE);
    press("x");
    assertThat(model.pods()).isEmpty();
    press(Key.Kind.ENTER);
    press("j");
    assertThat(model.selected()).isEmpty();
    press(Key.Kind.ESCAPE);
    assertThat(model.pods()).hasSize(2);
  }

  @Test
  void keysThatAreWordsOfTheFilterDoNothingElse() {
    press("/q");
    assertThat(model.isOver()).isFalse();
    assertThat(model.filter()).isEqualTo("q");
  }

  @Test
  void explainsTheChosenPodOnce() {
    press("e");
    assertThat(model.takeQuestion()).isEmpty();
    press(Key.Kind.DOWN);
    press(Key.Kind.ENTER);
    assertThat(model.takeQuestion().orElseThrow().title()).isEqualTo("guest");
    assertThat(model.takeQuestion()).isEmpty();
  }

  @Test
  void upFromNowhereChoosesTheLast() {
    press("k");
    assertThat(model.selected().orElseThrow().title()).isEqualTo("late");
    press("kkk");
    assertThat(model.selected().orElseThrow().title()).isEqualTo("guest");
    press("jjj");
    assertThat(model.selected().orElseThrow().title()).isEqualTo("late");
  }

  @Test
  void whatComesInAPauseIsSeenAfterIt() {
    press("p");
    model.take(new News.Lost("gone"));
    model.take(Scenes.told(1, "one"));
    assertThat(model.lost()).isEmpty();
    assertThat(model.events()).isEmpty();
    press("p");
    assertThat(model.lost()).contains("gone");
    assertThat(model.events()).hasSize(1);
  }

  @Test
  void aPauseKeepsNoMoreThanAScreenNeeds() {
    press("p");
    for (int i = 0; i < 10_000; i++) {
      model.take(Scenes.told(i, "event " + i));
    }
    press("p");
    assertThat(model.events()).hasSizeLessThan(300);
    assertThat(model.events().getLast().message()).isEqualTo("event 9999");
  }

  @Test
  void whatAnAgentTellsAgainIsNotNews() {
    model.take(Scenes.told(1, "one"));
    model.take(Scenes.told(1, "one"));
    assertThat(model.events()).hasSize(1);
  }

  @Test
  void aKeyboardThatIsGoneIsTheEnd() {
    press("/");
    press(Key.Kind.GONE);
    assertThat(model.isOver()).isTrue();
  }

  @Test
  void changesAreTheirLinesOnceEach() {
    ChangeLines lines = new ChangeLines();
    News.Seen seen = Scenes.crowded(Machines.named("laptop-2-core"));
    assertThat(lines.of(new News.Lost("none"))).get().asString().endsWith(" gone: none");
    assertThat(lines.of(new News.Lost("none"))).isEmpty();
    assertThat(lines.of(seen)).get().asString().contains("watching: laptop-2-core");
    assertThat(lines.of(seen)).isEmpty();
    assertThat(lines.of(Scenes.told(1, "one")))
        .contains("2026-01-02T03:04:05.678Z admitted web: one");
    assertThat(lines.of(Scenes.told(1, "one"))).isEmpty();
    assertThat(lines.of(new News.Lost("ended"))).get().asString().endsWith(" gone: ended");
    assertThat(lines.of(seen)).isPresent();
    assertThat(lines.of(Scenes.told(1, "of the next agent"))).isPresent();
  }

  @Test
  void loadIsWhatTheKernelCountedSince(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("stat");
    LoadMeter meter = new LoadMeter(file);
    assertThat(meter.measure(Optional.empty()).isKnown()).isFalse();
    Files.write(file, List.of("cpu  9 9 9 9 9 9 9 9 0 0", "cpu0 10 0 0 90 0 0 0 0 0 0", "intr 5"));
    assertThat(meter.measure(Optional.empty()).isKnown()).isFalse();
    Files.write(
        file,
        List.of(
            "cpu  9 9 9 9 9 9 9 9 0 0",
            "cpu0 20 10 5 135 20 3 1 1 7 0",
            "cpu5 1 1 1 1 1 1 1 1 0 0"));
    Load load = meter.measure(Optional.empty());
    // 30 of 95 ticks were not idle and did not wait for a disk.
    assertThat(load.of(0)).hasValue(31);
    assertThat(load.of(5)).isEmpty();
    assertThat(load.of(900)).isEmpty();
  }
}
