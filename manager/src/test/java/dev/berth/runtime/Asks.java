package dev.berth.runtime;

import dev.berth.protocols.cri.LinuxContainerResources;
import dev.berth.workload.QosClass;

/**
 * What a container asks for, and how a kubelet says so to a runtime.
 *
 * @param requestMilli thousandths of a CPU; 0 for none
 * @param limitMilli thousandths of a CPU; 0 for no limit
 * @param memoryBytes limit; 0 for none
 */
public record Asks(long requestMilli, long limitMilli, long memoryBytes) {
  private static final long PERIOD = 100_000;
  private static final long LEAST_QUOTA = 1_000;
  private static final long LEAST_SHARES = 2;

  /** Nothing at all. */
  public static final Asks NOTHING = new Asks(0, 0, 0);

  /** Refuses what no kubelet would say. */
  public Asks {
    if (requestMilli < 0 || limitMilli < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException("asks: expected nothing below 0");
    }
  }

  /** Limits that are the requests too, as a guaranteed pod's containers have them. */
  public static Asks limited(long milli, long memoryBytes) {
    return new Asks(milli, milli, memoryBytes);
  }

  /** A request without limits. */
  public static Asks requested(long milli) {
    return new Asks(milli, 0, 0);
  }

  LinuxContainerResources resources(QosClass qos) {
    return LinuxContainerResources.newBuilder()
        .setCpuPeriod(PERIOD)
        .setCpuQuota(limitMilli == 0 ? 0 : Math.max(LEAST_QUOTA, limitMilli * PERIOD / 1_000))
        .setCpuShares(Math.max(LEAST_SHARES, requestMilli * 1_024 / 1_000))
        .setMemoryLimitInBytes(memoryBytes)
        .setOomScoreAdj(
            switch (qos) {
              case GUARANTEED -> -997;
              case BURSTABLE -> 999;
              case BEST_EFFORT -> 1_000;
            })
        .build();
  }
}
