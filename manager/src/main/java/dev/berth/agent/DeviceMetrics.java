package dev.berth.agent;

import dev.berth.observe.Counter;
import dev.berth.observe.Histogram;
import dev.berth.observe.Registry;
import dev.berth.podresources.PodResourcesListener;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What is counted of device plugins and of those who ask who has what. On the loop only. */
final class DeviceMetrics {
  private static final String VERSION = "v1";
  private static final List<Double> SECONDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);

  private final Counter registrations;
  private final Histogram allocations;
  private final Counter requests;
  private final Map<PodResourcesListener.Call, Counter> calls =
      new EnumMap<>(PodResourcesListener.Call.class);
  private final Map<PodResourcesListener.Call, Counter> errors =
      new EnumMap<>(PodResourcesListener.Call.class);

  DeviceMetrics(Registry registry) {
    registrations =
        registry.counter(
            "kubelet_device_plugin_registration_total",
            "Times a device plugin registered.",
            "resource_name");
    allocations =
        registry.histogram(
            "kubelet_device_plugin_alloc_duration_seconds",
            "Time in which a device plugin says what a container needs.",
            SECONDS,
            "resource_name");
    requests =
        registry.counter(
            PodResourcesListener.Call.REQUESTS_TOTAL,
            "Questions about who has what.",
            "server_api_version");
    for (PodResourcesListener.Call call : PodResourcesListener.Call.values()) {
      calls.put(
          call, registry.counter(call.requests(), "Those of one kind.", "server_api_version"));
      errors.put(call, registry.counter(call.errors(), "Those that failed.", "server_api_version"));
    }
  }

  void registered(String resource) {
    registrations.increment(resource);
  }

  void allocated(String resource, Duration time) {
    allocations.observe(time.toNanos() / 1e9, resource);
  }

  void requested(PodResourcesListener.Call call) {
    requests.increment(VERSION);
    counter(calls, call).increment(VERSION);
  }

  void failed(PodResourcesListener.Call call) {
    counter(errors, call).increment(VERSION);
  }

  private static Counter counter(
      Map<PodResourcesListener.Call, Counter> counters, PodResourcesListener.Call call) {
    Counter counter = counters.get(call);
    if (counter == null) {
      throw new IllegalStateException("no counter of " + call);
    }
    return counter;
  }
}
