package dev.berth.demo;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a probe found in one go. As text it is one line, which is how it comes out of the process.
 *
 * @param cpus where it was allowed to run
 * @param seconds how long it counted, and then waited for what the kernel counts late
 * @param stolen the share of these CPUs' time that the host of this machine took
 * @param others the share of it that others than the probe used
 * @param kept what can be wished of CPUs of one's own and held for these
 * @param requests how late it was
 */
public record Reading(
    CpuSet cpus,
    double seconds,
    double stolen,
    double others,
    Set<CpuWish> kept,
    Requests requests) {
  private static final String HEAD = "berth-probe";
  private static final String USUAL = "usual";
  private static final String NONE = "none";
  private static final int FIELDS = 8;

  /** Refuses what no probe can find. */
  public Reading {
    kept = Set.copyOf(kept);
    if (cpus.isEmpty() || !(seconds > 0) || !isShare(stolen) || !isShare(others)) {
      throw new InvalidInputException(
          "reading: expected CPUs, seconds and two shares, found \""
              + cpus
              + "\", "
              + seconds
              + ", "
              + stolen
              + " and "
              + others);
    }
    if (requests.all().count() == 0) {
      throw new InvalidInputException("reading: expected latencies, found none");
    }
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }

  /** Of what the kernel counted meanwhile. */
  static Reading of(
      CpuSet cpus,
      double seconds,
      CpuTime passed,
      double ownShare,
      Set<CpuWish> kept,
      Requests requests) {
    double all = Math.max(1, passed.all());
    double busy = passed.busy() / all;
    return new Reading(
        cpus,
        seconds,
        Math.clamp(passed.stolen() / all, 0, 1),
        Math.clamp(busy - ownShare, 0, 1),
        kept,
        requests);
  }

  /** How late it was for all requests, the host's moments among them. */
  public Latencies latencies() {
    return requests.all();
  }

  /** The line that {@link #parse} understands. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%s %s %.3f %.5f %.5f %s %s %s",
        HEAD,
        cpus,
        seconds,
        stolen,
        others,
        kept.isEmpty()
            ? USUAL
            : kept.stream().map(CpuWish::word).sorted().collect(Collectors.joining(",")),
        text(requests.all()),
        text(requests.calm()));
  }

  private static String text(Latencies latencies) {
    return latencies.count() == 0
        ? NONE
        : latencies.buckets().stream()
            .map(bucket -> bucket.most() + ":" + bucket.count())
            .collect(Collectors.joining(","));
  }

  /**
   * A probe's line.
   *
   * @throws InvalidInputException where it is another's
   */
  public static Reading parse(String line) {
    String[] words = line.strip().split(" ", -1);
    List<String> held = words.length == FIELDS ? List.of(words[5].split(",", -1)) : List.of();
    Set<CpuWish> kept = CpuWish.those(wish -> held.contains(wish.word()));
    boolean understood = kept.isEmpty() ? held.equals(List.of(USUAL)) : held.size() == kept.size();
    if (!words[0].equals(HEAD) || !understood) {
      throw new InvalidInputException("reading: expected a probe's, found \"" + line + "\"");
    }
    try {
      return new Reading(
          CpuSet.parse(words[1]),
          Double.parseDouble(words[2]),
          Double.parseDouble(words[3]),
          Double.parseDouble(words[4]),
          kept,
          new Requests(latencies(words[6]), latencies(words[7])));
    } catch (NumberFormatException e) {
      throw new InvalidInputException(
          "reading: expected numbers, found \"" + line + "\" (" + e.getMessage() + ")", e);
    }
  }

  private static Latencies latencies(String text) {
    if (text.equals(NONE)) {
      return new Latencies();
    }
    List<Latencies.Bucket> buckets = new ArrayList<>();
    for (String bucket : text.split(",", -1)) {
      int colon = bucket.indexOf(':');
      buckets.add(
          new Latencies.Bucket(
              Long.parseLong(bucket.substring(0, Math.max(0, colon))),
              Long.parseLong(bucket.substring(colon + 1))));
    }
    return Latencies.of(buckets);
  }
}
