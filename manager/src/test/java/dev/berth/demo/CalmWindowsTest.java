package dev.berth.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each window has one request, whose latency is the window's number. */
class CalmWindowsTest {
  private static final long LENGTH = 20;

  /** Which windows are calm where the counters say so at the end of each; 7 before the first. */
  private static List<Long> calm(long... stolen) {
    CalmWindows windows = new CalmWindows(LENGTH, 0, 7);
    for (int i = 0; i < stolen.length; i++) {
      if (i < stolen.length - 1) {
        windows.record(i);
      }
      windows.end((i + 1) * LENGTH, stolen[i]);
    }
    assertThat(windows.requests().all().count())
        .as("all stay among all")
        .isEqualTo(stolen.length - 1);
    return windows.requests().calm().buckets().stream().map(Latencies.Bucket::most).toList();
  }

  @Test
  void allAreCalmWhereNothingIsStolen() {
    assertThat(calm(7, 7, 7, 7)).containsExactly(0L, 1L, 2L);
  }

  @Test
  void aWindowInWhichACounterMovedAndThoseBesideItAreTheHosts() {
    assertThat(calm(7, 7, 7, 8, 8, 8, 8)).containsExactly(0L, 1L, 5L);
  }

  @Test
  void theFirstWindowMayBeTheHosts() {
    assertThat(calm(9, 9, 9, 9)).containsExactly(2L);
  }

  @Test
  void whatIsCountedAfterTheLastRequestIsOfTheLastWindow() {
    assertThat(calm(7, 7, 7, 8)).containsExactly(0L, 1L);
  }

  @Test
  void noneAreCalmWhereACounterMovesInEveryThirdWindow() {
    assertThat(calm(8, 8, 8, 9, 9, 9, 10)).isEmpty();
    assertThat(calm(8, 9, 10, 11, 12, 13)).isEmpty();
  }

  @Test
  void ofThreeBetweenTwoMovesTheMiddleOneIsCalm() {
    assertThat(calm(8, 8, 8, 8, 9, 9)).containsExactly(2L);
  }

  @Test
  void aCounterThatGoesBackHasMovedToo() {
    assertThat(calm(7, 7, 6, 6, 6)).containsExactly(0L);
  }

  @Test
  void allRequestsOfABurstAreSetAsideHoweverLate() {
    CalmWindows windows = new CalmWindows(LENGTH, 0, 0);
    windows.record(1);
    windows.end(20, 0);
    windows.end(40, 0);
    for (long late : new long[] {40_000_000, 3, 2, 1}) {
      windows.record(late);
    }
    windows.end(80, 4);
    windows.end(100, 4);
    assertThat(windows.requests().calm().buckets()).containsExactly(new Latencies.Bucket(1, 1));
    assertThat(windows.requests().all().count()).isEqualTo(5);
    assertThat(windows.requests().all().max()).isEqualTo(40_000_000);
  }

  @Test
  void aWindowLastsFromItsBeginningAndNotFromWhenItWasDue() {
    CalmWindows windows = new CalmWindows(LENGTH, 100, 0);
    assertThat(over(windows, 100, 119, 120, 160)).containsExactly(false, false, true, true);
    windows.end(160, 0);
    assertThat(over(windows, 160, 179, 180)).containsExactly(false, false, true);
  }

  @Test
  void anEndlessWindowIsNeverOver() {
    CalmWindows windows = new CalmWindows(CalmWindows.ENDLESS, -100, 0);
    assertThat(over(windows, -100, 0, Long.MAX_VALUE / 2)).containsOnly(false);
  }

  private static List<Boolean> over(CalmWindows windows, long... times) {
    return Arrays.stream(times).mapToObj(windows::isOver).toList();
  }
}
