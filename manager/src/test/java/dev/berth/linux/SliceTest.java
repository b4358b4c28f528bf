package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slices of real processes of this test's own. */
class SliceTest {
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void end() {
    started.stream().flatMap(Process::descendants).forEach(ProcessHandle::destroyForcibly);
    started.forEach(Process::destroyForcibly);
  }

  private long start(String... command) throws IOException {
    started.add(new ProcessBuilder(command).start());
    return started.getLast().pid();
  }

  private static long usual() {
    OptionalLong usual = Slice.of(0);
    assumeTrue(usual.isPresent(), "needs Linux 6.12 or newer");
    return usual.getAsLong();
  }

  @Test
  void whatIsStartedMeanwhileHasAShortOneAndItsChildrenToo() throws Exception {
    long usual = usual();
    assertThat(Slice.SHORT).isLessThan(usual);
    List<Long> pids = new ArrayList<>();
    Slice.shortened(() -> pids.add(start("sh", "-c", "sleep 60 & echo; wait")));
    assertThat(started.getFirst().getInputStream().read()).isEqualTo('\n');
    long child = started.getFirst().descendants().findFirst().orElseThrow().pid();
    assertThat(Slice.of(pids.getFirst())).hasValue(Slice.SHORT);
    assertThat(Slice.of(child)).hasValue(Slice.SHORT);
    assertThat(Slice.of(0)).hasValue(usual);
    assertThat(Slice.of(start("sleep", "60"))).hasValue(usual);
  }

  @Test
  void whatCannotBeStartedLeavesTheThreadAsItWas() {
    long usual = usual();
    assertThatThrownBy(() -> Slice.shortened(() -> start("/no/such/program")))
        .isInstanceOf(IOException.class);
    assertThat(Slice.of(0)).hasValue(usual);
  }

  @Test
  void aThreadThatAskedForAnotherKindHasNone() throws Exception {
    usual();
    start("chrt", "--idle", "0", "sh", "-c", "echo; sleep 60");
    assertThat(started.getFirst().getInputStream().read()).isEqualTo('\n');
    assertThat(Slice.of(started.getFirst().pid())).isEmpty();
  }

  @Test
  void nobodyWhoIsNotThereHasOne() {
    assertThat(Slice.of(999_999_999)).isEmpty();
  }

  @Test
  void aThreadShortensItsOwn() throws Exception {
    long usual = usual();
    List<OptionalLong> seen = new ArrayList<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              if (Slice.shorten()) {
                seen.add(Slice.of(0));
              }
            });
    thread.join();
    assertThat(seen).containsExactly(OptionalLong.of(Slice.SHORT));
    assertThat(Slice.of(0)).hasValue(usual);
  }
}
