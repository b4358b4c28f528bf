package dev.berth.cli;

import dev.berth.demo.Latencies;
import dev.berth.terminal.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two histograms side by side, of signs that any terminal and any mail has. Both scales are
 * logarithmic: a row is about twice as late as the one above, and a bar has a sign for every
 * factor.
 *
 * @param shared the one on the left
 * @param own the one on the right
 * @param width columns of a line
 */
record DemoChart(Latencies shared, Latencies own, int width) {
  private static final int[] STEPS = {1, 2, 5};
  private static final int LABEL = 9;
  private static final int NARROWEST = 12;

  String text() {
    List<Long> bounds = bounds();
    long[] left = counts(shared, bounds);
    long[] right = counts(own, bounds);
    long most = Math.max(most(left), most(right));
    int digits = String.format(Locale.ROOT, "%,d", most).length();
    int room = Math.max(NARROWEST, (width - LABEL - 4) / 2);
    StringBuilder text = new StringBuilder();
    text.append(line("later by", "shared", "on its own", room));
    for (int row = 0; row < left.length; row++) {
      text.append(
          line(
              "≤ " + Durations.words(bounds.get(row)),
              bar(left[row], most, room, digits),
              bar(right[row], most, room, digits),
              room));
    }
    return text.toString();
  }

  private String line(String label, String left, String right, int room) {
    String format = "%" + LABEL + "s  %-" + room + "s  %s";
    String line = String.format(Locale.ROOT, format, label, left, right).stripTrailing();
    return Words.cut(line, width) + "\n";
  }

  /**
   * 1, 2 and 5 of each decade, from the first that holds anything to the one that holds the last.
   */
  private List<Long> bounds() {
    long first = Math.min(shared.percentile(0), own.percentile(0));
    long last = Math.max(shared.max(), own.max());
    List<Long> bounds = new ArrayList<>();
    for (long decade = 1; bounds.isEmpty() || bounds.getLast() < last; decade *= 10) {
      for (int step : STEPS) {
        long bound = decade * step;
        if (bound >= first && (bounds.isEmpty() || bounds.getLast() < last)) {
          bounds.add(bound);
        }
      }
    }
    return bounds;
  }

  private static long[] counts(Latencies latencies, List<Long> bounds) {
    long[] counts = new long[bounds.size()];
    int row = 0;
    for (Latencies.Bucket bucket : latencies.buckets()) {
      while (bucket.most() > bounds.get(row)) {
        row++;
      }
      counts[row] += bucket.count();
    }
    return counts;
  }

  private static long most(long[] counts) {
    long most = 1;
    for (long count : counts) {
      most = Math.max(most, count);
    }
    return most;
  }

  /** One alone has one sign, the most fill the room; the number stands behind. */
  private static String bar(long count, long most, int room, int digits) {
    if (count == 0) {
      return "";
    }
    int longest = Math.max(1, room - digits - 1);
    double share = most == 1 ? 1 : Math.log((double) count) / Math.log((double) most);
    int length = 1 + (int) Math.round(share * (longest - 1));
    return "#".repeat(length) + String.format(Locale.ROOT, " %,d", count);
  }
}
