package dev.berth.nri;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.berth.protocols.nri.Empty;
import dev.berth.protocols.nri.RegisterPluginRequest;
import dev.berth.protocols.nri.UpdateContainersRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import dev.berth.ttrpc.Multiplexer;
import dev.berth.ttrpc.TtrpcConnection;
import dev.berth.ttrpc.TtrpcException;
import dev.berth.ttrpc.TtrpcHandler;
import dev.berth.ttrpc.Wire;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The runtime's side of one connection: of one that starts nothing, so that a plugin can be heard
 * without any.
 */
public final class NriPeer implements AutoCloseable {
  private static final Duration TIME = Duration.ofSeconds(10);

  private final Multiplexer trunk;
  private final TtrpcConnection plugin;
  private final TtrpcConnection calls;
  private final BlockingQueue<String> registered = new LinkedBlockingQueue<>();
  private final Function<UpdateContainersRequest, UpdateContainersResponse> updates;

  private NriPeer(
      ServerSocketChannel server,
      Function<UpdateContainersRequest, UpdateContainersResponse> updates)
      throws IOException {
    this.updates = updates;
    trunk = Multiplexer.over(Wire.of(server.accept(), "runtime"), 1, 2);
    // What the plugin wants may have to wait for the answer to what it was asked, on the same wire.
    calls = TtrpcConnection.open(Wire.apart(trunk.open(2)), this::answer, _ -> {});
    plugin = TtrpcConnection.open(trunk.open(1), TtrpcHandler.NONE, _ -> {});
  }

  /** Begins to listen. */
  public static ServerSocketChannel listen(Path socket) throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    return server;
  }

  /**
   * Waits for a plugin.
   *
   * @param updates what the runtime does where the plugin wants containers changed
   */
  public static NriPeer accept(
      ServerSocketChannel server,
      Function<UpdateContainersRequest, UpdateContainersResponse> updates)
      throws IOException {
    return new NriPeer(server, updates);
  }

  private ByteString answer(String service, String method, ByteString request)
      throws TtrpcException {
    try {
      if (method.equals("RegisterPlugin")) {
        RegisterPluginRequest register = RegisterPluginRequest.parseFrom(request);
        registered.add(register.getPluginIdx() + "-" + register.getPluginName());
        return Empty.getDefaultInstance().toByteString();
      }
      return updates.apply(UpdateContainersRequest.parseFrom(request)).toByteString();
    } catch (IOException e) {
      throw new TtrpcException(TtrpcException.INTERNAL, e.toString());
    }
  }

  /** Index and name of the plugin, once it has said so. */
  public String registered() throws InterruptedException {
    return String.valueOf(registered.poll(10, TimeUnit.SECONDS));
  }

  /** Asks the plugin. */
  public ByteString call(String method, MessageLite request) throws IOException, TtrpcException {
    return plugin.call(PluginService.NAME, method, request.toByteString(), TIME);
  }

  /** Asks the plugin for something of any service. */
  ByteString call(String service, String method, ByteString request)
      throws IOException, TtrpcException {
    return plugin.call(service, method, request, TIME);
  }

  @Override
  public void close() throws IOException {
    calls.close();
    plugin.close();
    trunk.close();
  }
}
