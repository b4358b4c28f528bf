package dev.berth.ttrpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private final CompletableFuture<String> told = new CompletableFuture<>();

  @Test
  void whatDoesNotEndIsTold() throws Exception {
    Patience patience = new Patience(Duration.ofMillis(40), told::complete);
    patience.begin("first").close();
    Patience.Wait _ = patience.begin("frame");
    assertThat(told.get(30, TimeUnit.SECONDS))
        .isEqualTo("frame: expected the rest of it within 40 ms");
  }

  /** The second begins while the clock is looked at for the first. */
  @Test
  void whatEndsInTimeIsNotHoweverOftenItBegins() throws Exception {
    Patience patience = new Patience(Duration.ofSeconds(20), told::complete);
    for (int i = 0; i < 1_000; i++) {
      try (Patience.Wait _ = patience.begin("frame")) {
        assertThat(told).isNotDone();
      }
    }
    assertThat(told).isNotDone();
  }

  @Test
  void oneThatBeginsAfterALongSilenceIsWatchedToo() throws Exception {
    Patience patience = new Patience(Duration.ofMillis(20), told::complete);
    patience.begin("first").close();
    TimeUnit.MILLISECONDS.sleep(100);
    Patience.Wait _ = patience.begin("second");
    assertThat(told.get(30, TimeUnit.SECONDS)).startsWith("second: ");
  }
}
