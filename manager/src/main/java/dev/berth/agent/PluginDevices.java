package dev.berth.agent;

import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.DevicePluginListener;
import dev.berth.deviceplugin.DevicePlugins;
import dev.berth.deviceplugin.Handover;
import dev.berth.deviceplugin.Patience;
import dev.berth.ledger.Conditions;
import dev.berth.ledger.Device;
import dev.berth.ledger.NodeBuilder;
import dev.berth.workload.ExtendedResource;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Devices that plugins have, and what a container needs to use them. Safe for several threads: a
 * plugin may take its time, and the loop has none.
 */
final class PluginDevices {
  /** The loop waits for advice, and everybody for the loop. */
  private static final Patience HURRIED =
      new Patience(
          Patience.DEFAULT.connect(),
          Duration.ofMillis(300),
          Patience.DEFAULT.allocate(),
          Patience.DEFAULT.preStart(),
          Patience.DEFAULT.grace());

  /** Pause before somebody looks again whether a plugin has come. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private record Key(String uid, String container) {}

  /** What became of asking the plugins for a container, and for which devices that holds. */
  private record Handed(SortedMap<String, List<String>> ids, Handover handover) {}

  private final Loop loop;
  private final Books books;
  private final Metrics metrics;
  private final Consumer<String> log;
  private final Runnable changed;
  private final Supplier<List<Device>> own;
  private final Map<Key, Handed> handovers = new ConcurrentHashMap<>();
  private volatile Optional<DevicePlugins> plugins = Optional.empty();
  private volatile long opened;

  /**
   * No plugins yet.
   *
   * @param changed called on the loop when devices have come, gone or fallen ill
   * @param own the settings' own devices, which no plugin hands on
   */
  PluginDevices(
      Loop loop,
      Books books,
      Metrics metrics,
      Consumer<String> log,
      Runnable changed,
      Supplier<List<Device>> own) {
    this.loop = loop;
    this.books = books;
    this.metrics = metrics;
    this.log = log;
    this.changed = changed;
    this.own = own;
  }

  /** Lets plugins register in a folder from now on. */
  void open(Path folder, boolean hurried) throws IOException {
    opened = System.nanoTime();
    plugins =
        Optional.of(
            DevicePlugins.start(folder, new Listener(), hurried ? HURRIED : Patience.DEFAULT));
  }

  private final class Listener implements DevicePluginListener {
    @Override
    public void devices(String resource, List<Device> devices) {
      loop.submit(() -> {
        List<Device> before = books.node().devices();
        books.node().devices(resource, devices);
        DeviceNews.between(resource, before, devices)
            .ifPresent(news -> books.chronicle().noted(news, books.node()));
        plugins.ifPresent(there -> books.node().prefer(resource, there.preference(resource)));
        changed.run();
      });
    }

    @Override
    public void gone(String resource) {
      devices(resource, List.of());
    }

    @Override
    public void registered(String resource) {
      loop.submit(() -> metrics.devices().registered(resource));
    }

    @Override
    public void allocated(String resource, Duration time) {
      loop.submit(() -> metrics.devices().allocated(resource, time));
    }

    @Override
    public void log(String line) {
      log.accept(line);
    }
  }

  /** Has a node know what plugins have now. */
  void addTo(NodeBuilder builder) {
    plugins.ifPresent(there ->
        there
            .devices()
            .forEach((resource, devices) -> {
              builder.devices(devices);
              builder.prefer(resource, there.preference(resource));
            }));
  }

  /**
   * What a container is to be started with; the plugins are asked once for each set of devices.
   * Takes as long as the slowest plugin, but not for ever.
   *
   * @param ids its devices by resource, those of no plugin among them
   */
  Answer<Handover> handover(Pod pod, String container, SortedMap<String, List<String>> ids) {
    Set<String> given = new HashSet<>(ids.keySet());
    given.addAll(books.node().otherResources());
    Optional<String> missing = Conditions.missing(pod, container, given);
    if (missing.isPresent()) {
      return new Answer.Refused<>(Conditions.unconnected(missing.get()));
    }
    SortedMap<String, List<String>> asked = ofPlugins(ids);
    if (asked.isEmpty()) {
      return new Answer.Given<>(Handover.NONE);
    }
    Key key = new Key(pod.uid(), container);
    Handed before = handovers.get(key);
    if (before != null && before.ids().equals(asked)) {
      return new Answer.Given<>(before.handover());
    }
    Answer<Handover> answer = allocate(asked);
    if (answer instanceof Answer.Given<Handover>(Handover handover)) {
      loop.submit(() -> remember(key, new Handed(asked, handover)));
    }
    return answer;
  }

  /** Who has left meanwhile, or has other devices by now, leaves nothing here. */
  private void remember(Key key, Handed handed) {
    SortedMap<String, List<String>> ids =
        books.node().deviceAssignments().of(key.uid(), key.container());
    if (ids.entrySet().containsAll(handed.ids().entrySet())) {
      handovers.put(key, handed);
    }
  }

  /** What a container was handed already; nobody is asked. */
  Answer<Handover> remembered(String uid, String container, SortedMap<String, List<String>> ids) {
    SortedMap<String, List<String>> asked = ofPlugins(ids);
    if (asked.isEmpty()) {
      return new Answer.Given<>(Handover.NONE);
    }
    Handed before = handovers.get(new Key(uid, container));
    return before != null && before.ids().equals(asked)
        ? new Answer.Given<>(before.handover())
        : new Answer.Refused<>(Conditions.unconnected(asked.firstKey()));
  }

  /**
   * Waits for plugins of these devices that have not come yet. An agent that begins has as much
   * patience with them as with those that go away later.
   */
  void awaitPlugins(SortedMap<String, List<String>> ids) {
    try {
      while (mayStillCome(ofPlugins(ids).keySet())) {
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      // Nobody wants to know any more.
      Thread.currentThread().interrupt();
    }
  }

  private boolean mayStillCome(Set<String> resources) {
    return System.nanoTime() - opened < Patience.DEFAULT.grace().toNanos()
        && plugins.filter(there -> !there.devices().keySet().containsAll(resources)).isPresent();
  }

  /** Whether plugins are asked about any of these devices. */
  boolean isAsked(SortedMap<String, List<String>> ids) {
    return !ofPlugins(ids).isEmpty();
  }

  /** The same as {@link #handover}, and the plugins are ready for the container to start. */
  Answer<Handover> prepared(Pod pod, String container, SortedMap<String, List<String>> ids) {
    Answer<Handover> answer = handover(pod, container, ids);
    if (answer instanceof Answer.Refused<Handover>) {
      return answer;
    }
    Optional<String> refusal = preStart(ids);
    return refusal.isPresent() ? new Answer.Refused<>(refusal.get()) : answer;
  }

  private Answer<Handover> allocate(SortedMap<String, List<String>> asked) {
    return plugins.isPresent()
        ? plugins.get().allocate(asked)
        : new Answer.Refused<>(Conditions.unconnected(asked.firstKey()));
  }

  /** Lets plugins prepare for a container that is about to start; why it cannot, if so. */
  Optional<String> preStart(SortedMap<String, List<String>> ids) {
    SortedMap<String, List<String>> asked = ofPlugins(ids);
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    return plugins.isPresent()
        ? plugins.get().preStart(asked)
        : Optional.of(Conditions.unconnected(asked.firstKey()));
  }

  /** What plugins are to be asked about: whatever is not the settings' own, connected or not. */
  private SortedMap<String, List<String>> ofPlugins(SortedMap<String, List<String>> ids) {
    if (ids.isEmpty()) {
      return ids;
    }
    Set<String> registered = plugins.map(there -> there.devices().keySet()).orElse(Set.of());
    List<Device> ours = own.get();
    SortedMap<String, List<String>> asked = new TreeMap<>();
    ids.forEach((resource, wanted) -> {
      if (registered.contains(resource) || !areAmong(ours, resource, wanted)) {
        asked.put(resource, wanted);
      }
    });
    return asked;
  }

  /** Whether a container has a resource only if a plugin has handed it on. */
  boolean isHandedOn(String resource) {
    return ExtendedResource.isName(resource)
        && (plugins.filter(there -> there.devices().containsKey(resource)).isPresent()
            || own.get().stream().noneMatch(device -> device.resource().equals(resource)));
  }

  private static boolean areAmong(List<Device> devices, String resource, List<String> ids) {
    return devices.stream()
        .filter(device -> device.resource().equals(resource))
        .map(Device::id)
        .collect(Collectors.toSet())
        .containsAll(ids);
  }

  /** A pod is gone. */
  void forget(String uid) {
    handovers.keySet().removeIf(key -> key.uid().equals(uid));
  }

  void close() throws IOException {
    if (plugins.isPresent()) {
      plugins.get().close();
    }
  }
}
