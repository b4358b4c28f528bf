package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Device;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which plugin stands for which resource, and its devices.
 *
 * <p>A plugin that registers takes the place of the one before, whose devices stay until it lists
 * its own. Where a plugin ends, its devices fall ill; the resource is forgotten after the grace.
 */
final class PluginRegistry implements AutoCloseable {
  private static final int MOST_RESOURCES = 256;
  private static final int MOST_AT_A_TIME = 8;

  /**
   * A resource's plugin.
   *
   * @param devices what it listed last, ill since it ended
   */
  private record Entry(PluginConnection plugin, Thread follower, List<Device> devices) {
    Entry with(List<Device> list) {
      return new Entry(plugin, follower, list);
    }
  }

  private final Path folder;
  private final DevicePluginListener listener;
  private final Patience patience;
  private final Semaphore arrivals = new Semaphore(MOST_AT_A_TIME);

  /** Held while the listener is told, so that it hears everything in the order it happened. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, Entry> entries = new HashMap<>();
  private boolean closed;

  PluginRegistry(Path folder, DevicePluginListener listener, Patience patience) {
    this.folder = folder;
    this.listener = listener;
    this.patience = patience;
  }

  /** Reaches a plugin that registers; what is returned is why it cannot be, if so. */
  Optional<String> connect(RegisterRequest request) {
    String resource = request.getResourceName();
    if (!arrivals.tryAcquire()) {
      return Optional.of(
          "device plugin of " + resource + ": expected at most " + MOST_AT_A_TIME + " at a time");
    }
    try {
      listener.registered(resource);
      return enter(resource, PluginConnection.open(folder, request, patience));
    } catch (InvalidInputException e) {
      return Optional.of(e.line());
    } finally {
      arrivals.release();
    }
  }

  private Optional<String> enter(String resource, PluginConnection plugin) {
    Thread follower =
        Thread.ofVirtual()
            .name("device plugin of " + resource)
            .unstarted(() -> follow(resource, plugin));
    lock.lock();
    try {
      Entry before = entries.get(resource);
      if (closed || (before == null && entries.size() >= MOST_RESOURCES)) {
        plugin.close();
        return Optional.of(
            "device plugin of "
                + resource
                + ": expected "
                + (closed ? "to come before the end" : "at most " + MOST_RESOURCES + " resources"));
      }
      entries.put(
          resource, new Entry(plugin, follower, before == null ? List.of() : before.devices));
      if (before != null) {
        end(before);
      }
      follower.start();
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private static void end(Entry entry) {
    entry.plugin.close();
    entry.follower.interrupt();
  }

  private void follow(String resource, PluginConnection plugin) {
    try {
      String why = plugin.follow(devices -> heard(resource, plugin, devices));
      plugin.close();
      if (fellIll(resource, plugin, why)) {
        Thread.sleep(patience.grace());
        forget(resource, plugin);
      }
    } catch (InterruptedException e) {
      // Somebody took its place, or all is over: nothing is left to do.
      Thread.currentThread().interrupt();
    }
  }

  private void heard(String resource, PluginConnection plugin, List<Device> devices) {
    lock.lock();
    try {
      Entry entry = entries.get(resource);
      if (entry != null && entry.plugin == plugin) {
        entries.put(resource, entry.with(devices));
        listener.devices(resource, devices);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether it still stood for its resource. */
  private boolean fellIll(String resource, PluginConnection plugin, String why) {
    lock.lock();
    try {
      Entry entry = entries.get(resource);
      if (entry == null || entry.plugin != plugin) {
        return false;
      }
      List<Device> ill = entry.devices.stream().map(device -> device.withHealth(false)).toList();
      entries.put(resource, entry.with(ill));
      listener.log(why);
      listener.devices(resource, ill);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void forget(String resource, PluginConnection plugin) {
    lock.lock();
    try {
      Entry entry = entries.get(resource);
      if (entry != null && entry.plugin == plugin) {
        entries.remove(resource);
        listener.log(
            "device plugin of "
                + resource
                + " has been away for "
                + patience.grace().toSeconds()
                + " s: its resource is forgotten");
        listener.gone(resource);
      }
    } finally {
      lock.unlock();
    }
  }

  SortedMap<String, List<Device>> devices() {
    lock.lock();
    try {
      SortedMap<String, List<Device>> devices = new TreeMap<>();
      entries.forEach((resource, entry) -> devices.put(resource, entry.devices));
      return devices;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The plugin of a resource.
   *
   * @throws InvalidInputException where none is connected
   */
  PluginConnection connection(String resource) {
    lock.lock();
    try {
      Entry entry = entries.get(resource);
      if (entry == null || entry.plugin.isClosed()) {
        throw new InvalidInputException(
            "device plugin of " + resource + ": expected one that is connected, found none");
      }
      return entry.plugin;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the plugin of a resource wants to be asked before every start; so does one of whom
   * nothing is known.
   */
  boolean isAskedBeforeStart(String resource) {
    lock.lock();
    try {
      Entry entry = entries.get(resource);
      return entry == null || entry.plugin.isAskedBeforeStart();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      entries.values().forEach(PluginRegistry::end);
      entries.clear();
    } finally {
      lock.unlock();
    }
  }
}
