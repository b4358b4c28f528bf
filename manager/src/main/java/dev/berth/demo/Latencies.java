package dev.berth.demo;

import dev.berth.cpu.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How often something took how long, in nanoseconds. Counting allocates nothing, so that whoever
 * measures causes no pause itself.
 *
 * <p>Up to {@value #EXACT} nanoseconds each has a counter of its own, beyond that {@value #PARTS}
 * of them share every doubling: a percentile is never too low, and at most a 32nd too high.
 */
public final class Latencies {
  private static final int EXACT = 64;
  private static final int PARTS = 32;
  private static final int EXACT_BITS = 6;
  private static final int PART_BITS = 5;
  private static final int COUNTERS = EXACT + (Long.SIZE - 1 - EXACT_BITS) * PARTS;

  private final long[] counters = new long[COUNTERS];
  private long count;
  private long max;

  /**
   * Those that took about as long.
   *
   * @param most nanoseconds, the most that are counted here
   * @param count how many
   */
  public record Bucket(long most, long count) {}

  /** Counts one; what is below 0, for a clock may, counts as 0. */
  public void record(long nanos) {
    long value = Math.max(0, nanos);
    counters[index(value)]++;
    count++;
    max = Math.max(max, value);
  }

  private void record(long most, long times) {
    counters[index(most)] += times;
    count += times;
    max = Math.max(max, most);
  }

  /** Counts all of another. */
  public void add(Latencies other) {
    for (int i = 0; i < COUNTERS; i++) {
      counters[i] += other.counters[i];
    }
    count += other.count;
    max = Math.max(max, other.max);
  }

  /** Forgets all, so that who counts again and again needs no other. */
  void clear() {
    Arrays.fill(counters, 0);
    count = 0;
    max = 0;
  }

  /** How many. */
  public long count() {
    return count;
  }

  /** The longest; 0 where there is none. */
  public long max() {
    return max;
  }

  /**
   * What so large a share of them did not exceed.
   *
   * @param share from 0 to 1
   */
  public long percentile(double share) {
    if (!(share >= 0 && share <= 1) || count == 0) {
      throw new InvalidInputException(
          "percentile: expected a share from 0 to 1 of some, found " + share + " of " + count);
    }
    long rank = Math.max(1, (long) Math.ceil(share * count));
    long seen = 0;
    for (int i = 0; i < COUNTERS; i++) {
      seen += counters[i];
      if (seen >= rank) {
        return Math.min(most(i), max);
      }
    }
    return max;
  }

  /** Those that are not empty, the shortest first. */
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < COUNTERS; i++) {
      if (counters[i] > 0) {
        buckets.add(new Bucket(Math.min(most(i), max), counters[i]));
      }
    }
    return buckets;
  }

  /** From what {@link #buckets} told. */
  public static Latencies of(List<Bucket> buckets) {
    Latencies latencies = new Latencies();
    for (Bucket bucket : buckets) {
      if (bucket.most() < 0 || bucket.count() < 1) {
        throw new InvalidInputException(
            "latencies: expected nanoseconds and a count, found "
                + bucket.most()
                + " and "
                + bucket.count());
      }
      latencies.record(bucket.most(), bucket.count());
    }
    return latencies;
  }

  private static int index(long value) {
    if (value < EXACT) {
      return (int) value;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int part = (int) (value >>> (exponent - PART_BITS)) & (PARTS - 1);
    return EXACT + (exponent - EXACT_BITS) * PARTS + part;
  }

  private static long most(int index) {
    if (index < EXACT) {
      return index;
    }
    int exponent = (index - EXACT) / PARTS + EXACT_BITS;
    int part = (index - EXACT) % PARTS;
    // The part after this one begins one higher.
    return ((PARTS + part + 1L) << (exponent - PART_BITS)) - 1;
  }
}
