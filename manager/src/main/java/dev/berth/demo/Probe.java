package dev.berth.demo;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.Company;
import dev.berth.linux.Posix;
import dev.berth.linux.ResumeLatency;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that behaves as a small service does: sleeps until the next request is due, and notes
 * how late it woke for it. A request that came while it slept or waited for a CPU is waiting since
 * then, and counts with all of its delay.
 *
 * <p>Beside that it notes which of them are of moments in which the host took none of its CPUs.
 */
public final class Probe {
  /** A request comes so often. */
  public static final long PERIOD_NANOS = 250_000;

  /** Until the compiler is done with the loop; nothing is counted before. */
  private static final long WARM_UP_NANOS = 500_000_000;

  /**
   * A reading of the counters between two requests may take so long that none of them notices; on a
   * machine where it takes longer, only the first and the last are made.
   */
  private static final long MOST_COST_NANOS = 100_000;

  private static final double NANOS = 1e9;

  private final CpuSet cpus;
  private final long nanos;
  private final long windowNanos;

  private Probe(CpuSet cpus, long nanos, long windowNanos) {
    this.cpus = cpus;
    this.nanos = nanos;
    this.windowNanos = windowNanos;
  }

  /** THREADS and SECONDS; prints its reading. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Leash.attach();
    int threads = Integer.parseInt(arguments[0]);
    long nanos = (long) (Double.parseDouble(arguments[1]) * NANOS);
    System.out.println(measure(threads, WARM_UP_NANOS, nanos).text());
    System.out.flush();
    // The thread that watches the standard input must not keep the process.
    Runtime.getRuntime().halt(0);
  }

  /** With so many threads, on whatever CPUs this process may use. */
  static Reading measure(int threads, long warmUpNanos, long nanos)
      throws IOException, InterruptedException {
    long window = windowNanos(Posix.affinity(0));
    all(threads, new Probe(Posix.affinity(0), warmUpNanos, window));
    CpuSet cpus = Posix.affinity(0);
    CpuTime before = CpuTime.of(cpus, stat());
    long ownBefore = own();
    long began = System.nanoTime();
    Requests sum = all(threads, new Probe(cpus, nanos, window));
    double seconds = (System.nanoTime() - began) / NANOS;
    double ownShare = (own() - ownBefore) / NANOS / (seconds * cpus.size());
    CpuTime passed = CpuTime.of(cpus, stat()).since(before);
    return Reading.of(cpus, seconds, passed, ownShare, kept(cpus), sum);
  }

  private static long windowNanos(CpuSet cpus) throws IOException {
    try (StolenTime stolen = StolenTime.of(cpus)) {
      return stolen.cost() > MOST_COST_NANOS ? CalmWindows.ENDLESS : CalmWindows.NANOS;
    }
  }

  /** What the kernel says of these CPUs, rather than who was asked to see to it. */
  private static Set<CpuWish> kept(CpuSet cpus) {
    return CpuWish.those(wish ->
        switch (wish) {
          case AWAKE -> areAwake(cpus);
          case UNDISTURBED -> Company.on(cpus).isEmpty();
        });
  }

  /** Whether somebody has the kernel keep all of these CPUs awake. */
  private static boolean areAwake(CpuSet cpus) {
    ResumeLatency kernel = ResumeLatency.here();
    return cpus.stream()
        .allMatch(cpu -> {
          try {
            kernel.expectHeeded();
            return kernel.read(cpu).equals(ResumeLatency.NONE);
          } catch (IOException e) {
            // A kernel that does not have it keeps nobody awake.
            return false;
          }
        });
  }

  private static Requests all(int threads, Probe probe) throws IOException, InterruptedException {
    List<FutureTask<Requests>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      FutureTask<Requests> task = new FutureTask<>(probe::run);
      running.add(task);
      Thread.ofPlatform().name("berth-probe-" + i).start(task);
    }
    Requests sum = Requests.none();
    for (FutureTask<Requests> task : running) {
      try {
        sum = sum.plus(task.get());
      } catch (ExecutionException e) {
        throw new IOException("a thread of the probe ended: " + e.getMessage(), e);
      }
    }
    return sum;
  }

  /** Every thread reads for itself: what another one has seen may be of another moment. */
  private Requests run() throws IOException, InterruptedException {
    try (StolenTime stolen = StolenTime.of(cpus)) {
      CalmWindows windows = new CalmWindows(windowNanos, System.nanoTime(), stolen.ticks());
      long due = System.nanoTime() + PERIOD_NANOS;
      long end = due + nanos;
      while (due - end < 0) {
        long now = System.nanoTime();
        if (now - due >= 0) {
          windows.record(now - due);
          due += PERIOD_NANOS;
        } else if (windows.isOver(now)) {
          // Only while nobody waits: all that a burst has held up is handled before it is seen.
          windows.end(now, stolen.ticks());
        } else {
          LockSupport.parkNanos(due - now);
        }
      }
      windows.end(System.nanoTime(), stolen.ticks());
      // What the kernel counts late is of the last window.
      TimeUnit.NANOSECONDS.sleep(CalmWindows.NANOS);
      windows.end(System.nanoTime(), stolen.ticks());
      return windows.requests();
    }
  }

  private static String stat() throws IOException {
    return Files.readString(Path.of("/proc/stat"));
  }

  /** Nanoseconds of CPU time that this process has used. */
  private static long own() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(java.time.Duration::toNanos)
        .orElse(0L);
  }
}
