package dev.berth.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final int PRECISION = 32;

  @Test
  void aPercentileIsNeverTooLowAndAtMostA32ndTooHigh() {
    long seed = System.nanoTime();
    System.out.println("latencies: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      long[] values = values(random);
      Latencies latencies = new Latencies();
      for (long value : values) {
        latencies.record(value);
      }
      Arrays.sort(values);
      for (double share : new double[] {0, 0.01, 0.5, 0.9, 0.99, 0.999, 1, random.nextDouble()}) {
        int rank = Math.max(1, (int) Math.ceil(share * values.length));
        long exact = values[rank - 1];
        assertThat(latencies.percentile(share))
            .as("seed %d, share %s of %d", seed, share, values.length)
            .isBetween(exact, exact + Math.min(exact / PRECISION, latencies.max() - exact));
      }
      assertThat(latencies.count()).isEqualTo(values.length);
      assertThat(latencies.max()).isEqualTo(values[values.length - 1]);
      assertSame(Latencies.of(latencies.buckets()), latencies);
    }
  }

  /** Of all sizes, up to the largest there is. */
  private static long[] values(SplittableRandom random) {
    long[] values = new long[random.nextInt(1, 2_000)];
    int bits = random.nextInt(1, 64);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong() >>> (64 - random.nextInt(1, bits + 1));
      values[i] &= Long.MAX_VALUE;
    }
    return values;
  }

  private static void assertSame(Latencies found, Latencies expected) {
    assertThat(found.buckets()).isEqualTo(expected.buckets());
    assertThat(found.count()).isEqualTo(expected.count());
    assertThat(found.max()).isEqualTo(expected.max());
  }

  @Test
  void thoseOfTwoAreThoseOfBothTogether() {
    Latencies one = new Latencies();
    Latencies other = new Latencies();
    Latencies both = new Latencies();
    for (int i = 0; i < 1_000; i++) {
      (i % 3 == 0 ? one : other).record(i * 977L);
      both.record(i * 977L);
    }
    one.add(other);
    assertSame(one, both);
  }

  @Test
  void aClearedOneIsAsGoodAsNew() {
    Latencies latencies = new Latencies();
    latencies.record(Long.MAX_VALUE);
    latencies.clear();
    assertSame(latencies, new Latencies());
    latencies.record(5);
    assertThat(latencies.percentile(1)).isEqualTo(5);
  }

  @Test
  void aClockThatGoesBackCountsAsNoDelay() {
    Latencies latencies = new Latencies();
    latencies.record(-5);
    assertThat(latencies.percentile(1)).isZero();
  }

  @Test
  void refusesShareAndBucketThatMakeNoSense() {
    Latencies none = new Latencies();
    assertThatThrownBy(() -> none.percentile(0.5))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("percentile: expected a share from 0 to 1 of some, found 0.5 of 0");
    assertThatThrownBy(() -> Latencies.of(List.of(new Latencies.Bucket(5, 0))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("latencies: expected nanoseconds and a count, found 5 and 0");
  }
}
