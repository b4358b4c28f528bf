package dev.berth.agent;

import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.DevicePluginListener;
import dev.berth.deviceplugin.DevicePlugins;
import dev.berth.deviceplugin.Handover;
import dev.berth.deviceplugin.Patience;
import dev.berth.ledger.Device;
import dev.berth.ledger.NodeBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Devices that plugins have, and what a container needs to use them. Safe for several threads: a
 * plugin may take its time, and the loop has none.
 */
final class PluginDevices {
  /** A runtime waits two seconds for all that we have to say. */
  private static final Patience HURRIED =
      new Patience(
          Patience.DEFAULT.connect(),
          Duration.ofMillis(300),
          Duration.ofMillis(700),
          Duration.ofMillis(700),
          Patience.DEFAULT.grace());

  /** What became of asking the plugins for a container. */
  private record Key(String uid, String container) {}

  private final Loop loop;
  private final Books books;
  private final Metrics metrics;
  private final Consumer<String> log;
  private final Runnable changed;
  private final Map<Key, Handover> handovers = new ConcurrentHashMap<>();
  private volatile Optional<DevicePlugins> plugins = Optional.empty();

  /**
   * No plugins yet.
   *
   * @param changed called on the loop when devices have come, gone or fallen ill
   */
  PluginDevices(Loop loop, Books books, Metrics metrics, Consumer<String> log, Runnable changed) {
    this.loop = loop;
    this.books = books;
    this.metrics = metrics;
    this.log = log;
    this.changed = changed;
  }

  /** Lets plugins register in a folder from now on. */
  void open(Path folder, boolean hurried) throws IOException {
    plugins =
        Optional.of(
            DevicePlugins.start(folder, new Listener(), hurried ? HURRIED : Patience.DEFAULT));
  }

  private final class Listener implements DevicePluginListener {
    @Override
    public void devices(String resource, List<Device> devices) {
      loop.submit(() -> {
        books.node().devices(resource, devices);
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
   * What a container is to be started with; the plugins are asked once for each. Takes as long as
   * the slowest plugin, but not for ever.
   *
   * @param ids its devices by resource, those of no plugin among them
   */
  Answer<Handover> handover(String uid, String container, SortedMap<String, List<String>> ids) {
    Key key = new Key(uid, container);
    Handover before = handovers.get(key);
    SortedMap<String, List<String>> asked = ofPlugins(ids);
    if (before != null || asked.isEmpty()) {
      return new Answer.Given<>(before == null ? Handover.NONE : before);
    }
    Answer<Handover> answer = plugins.orElseThrow().allocate(asked);
    if (answer instanceof Answer.Given<Handover>(Handover handover)) {
      handovers.put(key, handover);
    }
    return answer;
  }

  /** Lets plugins prepare for a container that is about to start; why it cannot, if so. */
  Optional<String> preStart(SortedMap<String, List<String>> ids) {
    SortedMap<String, List<String>> asked = ofPlugins(ids);
    return asked.isEmpty() ? Optional.empty() : plugins.orElseThrow().preStart(asked);
  }

  private SortedMap<String, List<String>> ofPlugins(SortedMap<String, List<String>> ids) {
    SortedMap<String, List<String>> asked = new TreeMap<>();
    plugins.ifPresent(there -> {
      asked.putAll(ids);
      asked.keySet().retainAll(there.devices().keySet());
    });
    return asked;
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
