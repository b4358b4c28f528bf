package dev.berth.deviceplugin;

import dev.berth.ledger.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Keeps what it is told, and waits for what is to come. */
final class Heard implements DevicePluginListener {
  private static final long LONGEST = Duration.ofSeconds(30).toMillis();

  private final Map<String, List<Device>> devices = new TreeMap<>();
  private final List<String> log = new ArrayList<>();
  private final List<String> registered = new ArrayList<>();
  private final List<String> allocated = new ArrayList<>();
  private final List<String> gone = new ArrayList<>();
  private int lists;

  @Override
  public synchronized void devices(String resource, List<Device> list) {
    devices.put(resource, list);
    lists++;
    notifyAll();
  }

  @Override
  public synchronized void gone(String resource) {
    gone.add(resource);
    notifyAll();
  }

  @Override
  public synchronized void registered(String resource) {
    registered.add(resource);
  }

  @Override
  public synchronized void allocated(String resource, Duration time) {
    allocated.add(resource);
  }

  @Override
  public synchronized void log(String line) {
    log.add(line);
    notifyAll();
  }

  synchronized List<String> log() {
    return List.copyOf(log);
  }

  synchronized List<String> registered() {
    return List.copyOf(registered);
  }

  synchronized List<String> allocated() {
    return List.copyOf(allocated);
  }

  synchronized List<String> gone() {
    return List.copyOf(gone);
  }

  synchronized int lists() {
    return lists;
  }

  synchronized List<Device> of(String resource) {
    return devices.getOrDefault(resource, List.of());
  }

  /** Waits until what was heard is as expected, or fails. */
  synchronized void await(Predicate<Heard> expected) throws InterruptedException {
    long end = System.currentTimeMillis() + LONGEST;
    while (!expected.test(this)) {
      long left = end - System.currentTimeMillis();
      if (left <= 0) {
        throw new AssertionError("heard " + devices + ", log " + log + ", gone " + gone);
      }
      wait(left);
    }
  }

  void awaitDevices(String resource, Device... list) throws InterruptedException {
    List<Device> expected = List.of(list);
    await(heard -> heard.of(resource).equals(expected));
  }
}
