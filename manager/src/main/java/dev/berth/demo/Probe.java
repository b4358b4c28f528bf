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
import java.util.concurrent.locks.LockSupport;

/**
 * A program that behaves as a small service does: sleeps until the next request is due, and notes
 * how late it woke for it. A request that came while it slept or waited for a CPU is waiting since
 * then, and counts with all of its delay.
 */
public final class Probe {
  /** A request comes so often. */
  public static final long PERIOD_NANOS = 250_000;

  /** Until the compiler is done with the loop; nothing is counted before. */
  private static final long WARM_UP_NANOS = 500_000_000;

  private static final double NANOS = 1e9;

  private final Latencies latencies = new Latencies();
  private final long nanos;

  private Probe(long nanos) {
    this.nanos = nanos;
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
    all(threads, warmUpNanos);
    CpuSet cpus = Posix.affinity(0);
    CpuTime before = CpuTime.of(cpus, stat());
    long ownBefore = own();
    long began = System.nanoTime();
    Latencies sum = all(threads, nanos);
    double seconds = (System.nanoTime() - began) / NANOS;
    double ownShare = (own() - ownBefore) / NANOS / (seconds * cpus.size());
    CpuTime passed = CpuTime.of(cpus, stat()).since(before);
    return Reading.of(cpus, seconds, passed, ownShare, kept(cpus), sum);
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

  private static Latencies all(int threads, long nanos) throws InterruptedException {
    List<Probe> probes = new ArrayList<>();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Probe probe = new Probe(nanos);
      probes.add(probe);
      running.add(Thread.ofPlatform().name("berth-probe-" + i).start(probe::run));
    }
    Latencies sum = new Latencies();
    for (int i = 0; i < threads; i++) {
      running.get(i).join();
      sum.add(probes.get(i).latencies);
    }
    return sum;
  }

  private void run() {
    long due = System.nanoTime() + PERIOD_NANOS;
    long end = due + nanos;
    while (due - end < 0) {
      long now = System.nanoTime();
      if (now - due < 0) {
        LockSupport.parkNanos(due - now);
      } else {
        latencies.record(now - due);
        due += PERIOD_NANOS;
      }
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
