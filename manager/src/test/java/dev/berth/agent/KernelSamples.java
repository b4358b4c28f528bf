package dev.berth.agent;

import dev.berth.cgroup.Placement;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Everything that the kernel had for one process while somebody looked, again and again. */
final class KernelSamples implements AutoCloseable {
  private final long process;
  private final Placement.Finder finder = Placement.Finder.here();
  private final Set<String> cpus = new ConcurrentSkipListSet<>();
  private final Set<Long> quotas = new ConcurrentSkipListSet<>();
  private final Thread looking = Thread.ofPlatform().name("kernel samples").unstarted(this::look);
  private volatile long count;

  private KernelSamples(long process) {
    this.process = process;
  }

  /** Looks at a process from now on. */
  static KernelSamples begin(long process) {
    KernelSamples samples = new KernelSamples(process);
    samples.looking.start();
    return samples;
  }

  private void look() {
    long looks = 0;
    try {
      while (true) {
        cpus.add(RealAgent.allowed(process).toString());
        quotas.add(finder.quota(process).orElseThrow());
        count = ++looks;
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      cpus.add(e.toString());
    }
  }

  /** All sets of CPUs on which it was allowed to run. */
  Set<String> cpus() {
    return cpus;
  }

  /** All quotas that it had. */
  Set<Long> quotas() {
    return quotas;
  }

  long count() {
    return count;
  }

  @Override
  public void close() {
    looking.interrupt();
    try {
      looking.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
