package dev.berth.agent;

import dev.berth.kubelet.OwnSettings;
import dev.berth.podresources.PodResourcesServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Where those come in who came to a kubelet: device plugins, and who asks who has what. */
final class Sockets implements AutoCloseable {
  private final Loop loop;
  private final Books books;
  private final Household household;
  private final PluginDevices plugins;
  private final boolean foreign;
  private final Metrics metrics;
  private final Consumer<String> log;
  private Optional<PodResourcesServer> podResources = Optional.empty();

  /**
   * None is open yet.
   *
   * @param foreign whether containers are another runtime's
   */
  Sockets(
      Loop loop,
      Books books,
      Household household,
      PluginDevices plugins,
      boolean foreign,
      Metrics metrics,
      Consumer<String> log) {
    this.loop = loop;
    this.books = books;
    this.household = household;
    this.plugins = plugins;
    this.foreign = foreign;
    this.metrics = metrics;
    this.log = log;
  }

  /** Opens those that are wanted. */
  void open(OwnSettings wanted) throws IOException {
    Optional<Path> folder = wanted.devicePlugins();
    if (folder.isPresent()) {
      plugins.open(folder.get(), foreign);
    }
    Optional<Path> socket = wanted.podResources();
    if (socket.isPresent()) {
      podResources =
          Optional.of(PodResources.serve(socket.get(), loop, books, household, metrics, log));
    }
  }

  @Override
  public void close() throws IOException {
    if (podResources.isPresent()) {
      podResources.get().close();
    }
    plugins.close();
  }
}
