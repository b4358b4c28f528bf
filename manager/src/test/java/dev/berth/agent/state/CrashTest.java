package dev.berth.agent.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.state.Story.Step;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.ledger.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk that fails and power that goes, at every single operation of everything that is written:
 * what happened is there, what did not is not, and no CPU is with two.
 */
@Tag("slow")
class CrashTest {
  private static final int MANY = 100;

  @TempDir Path temporary;

  private final FailingDisks disks = new FailingDisks();
  private int folders;

  private Path folder() {
    return temporary.resolve("state-" + folders++);
  }

  private StateFolder open(Path folder) throws IOException {
    return disks.open(folder);
  }

  private FailingDisk disk() {
    return disks.latest();
  }

  private static List<Step> until(Step last) {
    return Arrays.stream(Step.values()).takeWhile(step -> step != last).toList();
  }

  private static void happen(Story story, List<Step> steps) throws IOException {
    for (Step step : steps) {
      story.happen(step);
    }
  }

  private static void nothingIsGivenTwice(Recovered found) {
    CpuSet given = CpuSet.EMPTY;
    for (Holding held : found.holdings().values()) {
      assertThat(held.allCpus().intersects(given)).isFalse();
      given = given.union(held.allCpus());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whenThePowerGoesAStepHasHappenedOrHasNot(Step step) throws IOException {
    boolean done = false;
    int operations = 0;
    for (; !done && operations < MANY; operations++) {
      Path folder = folder();
      SortedMap<String, Holding> before;
      SortedMap<String, Holding> after;
      try (StateFolder state = open(folder)) {
        Story story = new Story(state);
        happen(story, until(step));
        before = story.holdings();
        disk().failAfter(operations, true);
        try {
          story.happen(step);
          done = true;
        } catch (IOException e) {
          assertThat(story.holdings()).isEqualTo(before);
        }
      }
      after = after(step);
      Recovered found = StateFolder.look(folder);
      assertThat(found.why()).as("after %d operations", operations).hasSize(1);
      assertThat(found.holdings()).isIn(done ? List.of(after) : List.of(before, after));
      nothingIsGivenTwice(found);
      goesOn(folder, found);
    }
    assertThat(operations).isBetween(2, MANY - 1);
  }

  private SortedMap<String, Holding> after(Step step) throws IOException {
    try (StateFolder state = open(folder())) {
      Story story = new Story(state);
      happen(story, until(step));
      story.happen(step);
      return story.holdings();
    }
  }

  /** A start brings everything up to date. */
  private void goesOn(Path folder, Recovered found) throws IOException {
    try (StateFolder state = open(folder)) {
      new Story(state).happen(Step.SETTLE);
    }
    Recovered again = StateFolder.look(folder);
    assertThat(again.pods()).isEqualTo(found.pods());
    assertThat(again.unknown()).isEqualTo(found.unknown());
    assertThat(again.why().getFirst()).endsWith("kept from berth_state, checkpoints agree");
  }

  @ParameterizedTest
  @EnumSource
  void whenAnOperationFailsNothingHasHappenedAndItCanBeTriedAgain(Step step) throws IOException {
    SortedMap<String, Holding> after = after(step);
    boolean done = false;
    int operations = 0;
    for (; !done && operations < MANY; operations++) {
      Path folder = folder();
      try (StateFolder state = open(folder)) {
        Story story = new Story(state);
        happen(story, until(step));
        Recovered before = StateFolder.look(folder);
        disk().failAfter(operations, false);
        try {
          story.happen(step);
          done = true;
        } catch (IOException e) {
          assertThat(StateFolder.look(folder).holdings()).isEqualTo(before.holdings());
          assertThat(state.pods()).isEqualTo(before.pods());
          disk().mend();
          story.happen(step);
        }
      }
      Recovered found = StateFolder.look(folder);
      assertThat(found.holdings()).isEqualTo(after);
      if (!after.isEmpty() || step != Step.SETTLE) {
        assertThat(found.why()).hasSize(1).first().asString().endsWith("checkpoints agree");
      }
    }
    assertThat(operations).isBetween(2, MANY - 1);
  }

  /** CPU 1 is reserved from now on: pod one moves, and the power goes on the way. */
  @Test
  void whenThePowerGoesDuringAMoveItHasHappenedOrHasNot() throws IOException {
    boolean done = false;
    int operations = 0;
    for (; !done && operations < MANY; operations++) {
      Path folder = folder();
      SortedMap<String, Holding> before;
      SortedMap<String, Holding> after;
      try (StateFolder state = open(folder)) {
        Story story = new Story(state);
        happen(story, until(Step.STOP_ONE));
        before = story.holdings();
        Node moved = moved(StateFolder.look(folder));
        after = Holding.all(moved);
        disk().failAfter(operations, true);
        try {
          state.settled("boot-2", moved, Map.of());
          done = true;
        } catch (IOException e) {
          assertThat(StateFolder.look(folder).holdings()).isIn(before, after);
        }
      }
      Recovered found = StateFolder.look(folder);
      assertThat(after).isNotEqualTo(before);
      assertThat(found.holdings()).isIn(done ? List.of(after) : List.of(before, after));
      assertThat(found.pods()).extracting(PodRecord::uid).containsExactly("one", "shared", "two");
      assertThat(found.why().getFirst()).startsWith("state: 3 pods kept from berth_state");
      nothingIsGivenTwice(found);
    }
    assertThat(operations).isBetween(5, MANY - 1);
  }

  private static Node moved(Recovered found) {
    Configuration other = Fixture.CONFIGURATION.with(new Reservation.These(CpuSet.parse("0-1")));
    return Migration.plan(Node.builder(Fixture.MACHINE, other), found.before()).node();
  }

  /** As on a disk that is full: everything fails for a while, and works again afterwards. */
  @Test
  void aDiskThatFailsForAWhileIsSurvived() throws IOException {
    Path folder = folder();
    try (StateFolder state = open(folder)) {
      Story story = new Story(state);
      happen(story, until(Step.ADMIT_TWO));
      SortedMap<String, Holding> before = story.holdings();
      disk().failAfter(0, true);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> story.happen(Step.ADMIT_TWO)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> story.happen(Step.STOP_ONE)).isInstanceOf(IOException.class);
        assertThat(story.holdings()).isEqualTo(before);
      }
      disk().mend();
      story.happen(Step.ADMIT_TWO);
      assertThat(StateFolder.look(folder).holdings()).isEqualTo(story.holdings());
      assertThat(StateFolder.look(folder).why()).first().asString().endsWith("checkpoints agree");
    }
  }

  @Test
  void aJournalCutAnywhereLosesItsLastLinesAndGivesNothingTwice() throws IOException {
    Path whole = folder();
    List<SortedMap<String, Holding>> states = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    SortedMap<String, Holding> last;
    try (StateFolder state = open(whole)) {
      Story story = new Story(state);
      for (Step step : Step.values()) {
        story.happen(step);
        states.add(story.holdings());
        ends.add(Files.size(whole.resolve(Journal.FILE)));
      }
      last = story.holdings();
    }
    byte[] journal = Files.readAllBytes(whole.resolve(Journal.FILE));
    for (int end = 0; end < journal.length; end++) {
      Files.write(whole.resolve(Journal.FILE), Arrays.copyOf(journal, end));
      Recovered found = StateFolder.look(whole);
      nothingIsGivenTwice(found);
      long limit = end;
      long lines = ends.stream().filter(line -> line <= limit).count();
      boolean torn = lines == 0 || ends.get((int) lines - 1) != end;
      if (torn) {
        // The checkpoints are whole, and tell that more has happened.
        assertThat(found.holdings().entrySet()).as("cut at %d", end).containsAll(last.entrySet());
      } else {
        assertThat(found.holdings()).as("cut at %d", end).isEqualTo(states.get((int) lines - 1));
      }
    }
  }

  /** Any older checkpoint beside a newer journal: the journal is right. */
  @Test
  void checkpointsOfAnyEarlierMomentAreMadeAnew() throws IOException {
    Path folder = folder();
    List<Path> moments = new ArrayList<>();
    try (StateFolder state = open(folder)) {
      Story story = new Story(state);
      for (Step step : Step.values()) {
        story.happen(step);
        Path copy = folder();
        Fixture.copy(folder, copy);
        moments.add(copy);
      }
    }
    for (int now = 0; now < moments.size(); now++) {
      Recovered expected = StateFolder.look(moments.get(now));
      for (int then = 0; then < now; then++) {
        Path mixed = folder();
        Fixture.copy(moments.get(now), mixed);
        for (String file : List.of(Checkpoints.CPU, Checkpoints.MEMORY)) {
          Files.copy(
              moments.get(then).resolve(file),
              mixed.resolve(file),
              StandardCopyOption.REPLACE_EXISTING);
        }
        Recovered found = StateFolder.look(mixed);
        assertThat(found.holdings()).isEqualTo(expected.holdings());
        assertThat(found.pods()).isEqualTo(expected.pods());
        try (StateFolder state = open(mixed)) {
          new Story(state).happen(Step.SETTLE);
        }
        assertThat(new TreeMap<>(Fixture.files(mixed)))
            .containsEntry(
                Checkpoints.CPU, Files.readString(moments.get(now).resolve(Checkpoints.CPU)));
      }
    }
  }
}
