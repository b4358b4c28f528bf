package dev.berth.deviceplugin;

import dev.berth.ledger.Device;
import java.time.Duration;
import java.util.List;

/**
 * Is told what plugins do. Calls for one resource come one after the other, from threads of this
 * package; they must be short and must not call back, so hand on what takes longer.
 */
public interface DevicePluginListener {
  /** These are all devices of a resource from now on. */
  void devices(String resource, List<Device> devices);

  /** A resource is no longer known: its plugin has been away for too long. */
  void gone(String resource);

  /** A plugin has registered; {@code kubelet_device_plugin_registration_total} counts it. */
  void registered(String resource);

  /** Allocate was answered or not; {@code kubelet_device_plugin_alloc_duration_seconds}. */
  void allocated(String resource, Duration time);

  /** A line for the log. */
  void log(String line);
}
