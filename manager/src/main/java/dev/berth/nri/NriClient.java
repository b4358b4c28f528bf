package dev.berth.nri;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.Bounded;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.RegisterPluginRequest;
import dev.berth.protocols.nri.UpdateContainersRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import dev.berth.ttrpc.Multiplexer;
import dev.berth.ttrpc.TtrpcConnection;
import dev.berth.ttrpc.TtrpcException;
import dev.berth.ttrpc.TtrpcHandler;
import dev.berth.ttrpc.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A plugin's connection to a runtime, made again whenever it ends. Owns a thread that connects. */
public final class NriClient implements AutoCloseable {
  private static final String RUNTIME = "nri.pkg.api.v1alpha1.Runtime";
  private static final int PLUGIN_LANE = 1;
  private static final int RUNTIME_LANE = 2;
  private static final Duration REGISTRATION = Duration.ofSeconds(5);
  private static final Duration UPDATE = Duration.ofSeconds(10);
  private static final long FIRST_PAUSE = 50;
  private static final long LONGEST_PAUSE = 1_000;

  private final Path socket;
  private final String index;
  private final String name;
  private final NriPolicy policy;
  private final Consumer<String> log;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread connecting;
  private volatile Optional<TtrpcConnection> runtime = Optional.empty();
  private String lastFault = "";

  private NriClient(
      Path socket, String index, String name, NriPolicy policy, Consumer<String> log) {
    this.socket = socket;
    this.index = index;
    this.name = name;
    this.policy = policy;
    this.log = log;
    connecting = Thread.ofPlatform().daemon().name("nri " + socket).unstarted(this::run);
  }

  /**
   * Begins to connect, and goes on until it is closed.
   *
   * @param index two digits by which the runtime orders its plugins
   * @param log told in one line about every change for the worse or the better
   */
  public static NriClient start(
      Path socket, String index, String name, NriPolicy policy, Consumer<String> log) {
    if (!index.matches("[0-9]{2}")) {
      throw new InvalidInputException(
          "NRI plugin index: expected two digits, found \"" + index + "\"");
    }
    NriClient client = new NriClient(socket, index, name, policy, log);
    client.connecting.start();
    return client;
  }

  private void run() {
    long pause = FIRST_PAUSE;
    while (closed.getCount() > 0) {
      long began = System.nanoTime();
      serve();
      boolean lasted = System.nanoTime() - began > LONGEST_PAUSE * 1_000_000;
      // One that ends as soon as it is there would fill the log otherwise.
      pause = lasted ? FIRST_PAUSE : Math.min(LONGEST_PAUSE, pause * 2);
      try {
        if (closed.await(pause, TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** One connection from its beginning to its end. */
  private void serve() {
    try (Multiplexer trunk = Multiplexer.over(Wire.unix(socket), PLUGIN_LANE, RUNTIME_LANE);
        TtrpcConnection plugin =
            TtrpcConnection.open(
                trunk.open(PLUGIN_LANE), new PluginService(policy, trunk::end), log);
        TtrpcConnection calls =
            TtrpcConnection.open(trunk.open(RUNTIME_LANE), TtrpcHandler.NONE, log)) {
      register(calls);
      runtime = Optional.of(calls);
      lastFault = "";
      log.accept("NRI: registered as " + index + "-" + name + " at " + socket);
      Object why = CompletableFuture.anyOf(plugin.end(), calls.end()).get();
      log.accept("NRI: connection to " + socket + " ended: " + why);
    } catch (IOException | TtrpcException | ExecutionException e) {
      fault(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      runtime = Optional.empty();
    }
  }

  /** The same fault again and again is told once. */
  private void fault(String why) {
    if (!why.equals(lastFault) && closed.getCount() > 0) {
      log.accept("NRI: expected a runtime at " + socket + ", found " + why);
      lastFault = why;
    }
  }

  private void register(TtrpcConnection calls) throws IOException, TtrpcException {
    calls.call(
        RUNTIME,
        "RegisterPlugin",
        RegisterPluginRequest.newBuilder()
            .setPluginIdx(index)
            .setPluginName(name)
            .build()
            .toByteString(),
        REGISTRATION);
  }

  /** Whether a runtime is connected now. */
  public boolean isConnected() {
    return runtime.isPresent();
  }

  /**
   * Asks the runtime to change containers. Not from within a {@link NriPolicy}: the runtime would
   * wait for the answer to its own question first.
   *
   * @return those that it could not change
   * @throws IOException where no runtime is connected, or it does not answer
   */
  public List<ContainerUpdate> update(List<ContainerUpdate> updates) throws IOException {
    TtrpcConnection calls =
        runtime.orElseThrow(() -> new IOException("no runtime is connected at " + socket));
    UpdateContainersRequest request =
        UpdateContainersRequest.newBuilder().addAllUpdate(updates).build();
    try {
      return Bounded.parse(
              UpdateContainersResponse.parser(),
              UpdateContainersResponse.getDescriptor(),
              calls.call(RUNTIME, "UpdateContainers", request.toByteString(), UPDATE))
          .getFailedList();
    } catch (TtrpcException | InvalidProtocolBufferException e) {
      throw new IOException("UpdateContainers: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Optional<TtrpcConnection> calls = runtime;
    if (calls.isPresent()) {
      calls.get().close();
    }
    connecting.interrupt();
  }
}
