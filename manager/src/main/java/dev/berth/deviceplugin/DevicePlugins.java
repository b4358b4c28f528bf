package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Device;
import dev.berth.ledger.PreferredAllocation;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.rpc.RateLimit;
import dev.berth.rpc.RpcServer;
import io.grpc.Deadline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plugins of a node, and what they have.
 *
 * <p>Safe for use by any number of threads. Its own threads, one for each plugin and one for the
 * socket, end when it is closed.
 */
public final class DevicePlugins implements AutoCloseable {
  /** The socket's name, which plugins know. */
  public static final String SOCKET = "kubelet.sock";

  /** Where plugins look, unless told otherwise. */
  public static final Path FOLDER = Path.of("/var/lib/kubelet/device-plugins");

  private static final double REGISTRATIONS = 10;
  private static final int REGISTRATIONS_AT_ONCE = 50;

  private final Patience patience;
  private final DevicePluginListener listener;
  private final PluginRegistry registry;
  private final RpcServer server;

  private DevicePlugins(Path folder, DevicePluginListener listener, Patience patience)
      throws IOException {
    this.patience = patience;
    this.listener = listener;
    registry = new PluginRegistry(folder, listener, patience);
    PluginFolder.prepare(folder);
    server =
        RpcServer.start(
            folder.resolve(SOCKET),
            listener::log,
            List.of(new RegistrationService(this::register)),
            new RateLimit(REGISTRATIONS, REGISTRATIONS_AT_ONCE));
  }

  /**
   * Begins to let plugins register. Sockets that lie in the folder are removed, so that plugins
   * which are alive come by themselves.
   *
   * @throws IOException where the folder or the socket cannot be made
   */
  public static DevicePlugins start(Path folder, DevicePluginListener listener, Patience patience)
      throws IOException {
    return new DevicePlugins(folder, listener, patience);
  }

  /** Why a plugin is turned away, if so. */
  private Optional<String> register(RegisterRequest request) {
    Optional<String> refusal =
        RegistrationRules.refusal(request).or(() -> registry.connect(request));
    refusal.ifPresent(listener::log);
    return refusal;
  }

  /**
   * All devices, by resource; those of a plugin that has ended are ill, and stay until the grace is
   * over. What the listener was told, in one piece.
   */
  public SortedMap<String, List<Device>> devices() {
    return registry.devices();
  }

  /**
   * Asks the plugins what a container needs to use these devices.
   *
   * @param ids by resource
   */
  public Answer<Handover> allocate(Map<String, List<String>> ids) {
    Deadline until = Errand.atMost(patience.allocate());
    HandoverMerge merge = new HandoverMerge();
    try {
      new TreeMap<>(ids)
          .forEach((resource, wanted) -> merge.add(resource, allocate(resource, wanted, until)));
      return new Answer.Given<>(merge.handover());
    } catch (InvalidInputException e) {
      return new Answer.Refused<>(e.line());
    }
  }

  private ContainerAllocateResponse allocate(String resource, List<String> wanted, Deadline until) {
    PluginConnection plugin = registry.connection(resource);
    long start = System.nanoTime();
    try {
      return plugin.allocate(wanted, until);
    } finally {
      listener.allocated(resource, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /**
   * Lets the plugins that want to be asked prepare devices for a container that is about to start.
   *
   * @param ids by resource
   * @return why it cannot start, if so: one line
   */
  public Optional<String> preStart(Map<String, List<String>> ids) {
    Deadline until = Errand.atMost(patience.preStart());
    try {
      new TreeMap<>(ids)
          .forEach((resource, wanted) -> {
            if (registry.isAskedBeforeStart(resource)) {
              registry.connection(resource).preStart(wanted, until);
            }
          });
      return Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.of(e.line());
    }
  }

  /**
   * Asks a plugin which of several devices belong together; none where it gives no advice, or not
   * in time. One that has let a question run out of time is not asked until it has answered
   * something else, so that a plugin which is stuck holds up its node once and not at every pod.
   *
   * @param included those that are taken in any case; among the available ones
   * @param size how many are wanted in all
   */
  public Answer<List<String>> preferred(
      String resource, List<String> available, List<String> included, int size) {
    try {
      PluginConnection plugin = registry.connection(resource);
      return new Answer.Given<>(
          plugin.givesAdvice() && !plugin.isStalled()
              ? inTime(plugin, available, included, size)
              : List.of());
    } catch (InvalidInputException e) {
      return new Answer.Refused<>(e.line());
    }
  }

  /** Advice that does not come is no reason to refuse anybody: it is advice. */
  private List<String> inTime(
      PluginConnection plugin, List<String> available, List<String> included, int size) {
    try {
      return plugin.preferred(available, included, size, Errand.atMost(patience.preferred()));
    } catch (InvalidInputException e) {
      if (!plugin.isStalled()) {
        throw e;
      }
      listener.log(e.line() + "; devices are chosen without it");
      return List.of();
    }
  }

  /**
   * The same for a ledger, for {@code Node.prefer}: whoever is the resource's plugin by then is
   * asked. As in the kubelet, a plugin that refuses has the pod refused.
   */
  public PreferredAllocation preference(String resource) {
    return (available, included, size) ->
        switch (preferred(resource, ids(available), ids(included), size)) {
          case Answer.Given<List<String>>(List<String> ids) -> ids;
          case Answer.Refused<List<String>>(String line) -> throw new InvalidInputException(line);
        };
  }

  private static List<String> ids(List<Device> devices) {
    return devices.stream().map(Device::id).toList();
  }

  /** Lets go of all plugins; the listener is told nothing more. */
  @Override
  public void close() throws IOException {
    try {
      server.close();
    } finally {
      registry.close();
    }
  }
}
