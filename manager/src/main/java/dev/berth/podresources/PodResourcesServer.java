package dev.berth.podresources;

import dev.berth.rpc.RateLimit;
import dev.berth.rpc.RpcServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Serves podresources on a unix socket. */
public final class PodResourcesServer implements AutoCloseable {
  /** Where clients look, unless told otherwise. */
  public static final Path SOCKET = Path.of("/var/lib/kubelet/pod-resources/kubelet.sock");

  /** Calls a second and at once, as the kubelet allows them. */
  private static final double CALLS = 100;

  private static final int CALLS_AT_ONCE = 10;

  private final RpcServer server;

  private PodResourcesServer(RpcServer server) {
    this.server = server;
  }

  /**
   * Begins to serve. The socket's folder must be there; what lies at the socket's path makes way.
   *
   * @param now asked once a call, by several threads at a time
   * @throws IOException where nobody can listen there
   */
  public static PodResourcesServer start(
      Path socket, Supplier<ResourcesSnapshot> now, PodResourcesListener listener)
      throws IOException {
    return new PodResourcesServer(
        RpcServer.start(
            socket,
            listener::log,
            List.of(new PodResourcesService(now, listener)),
            new RateLimit(CALLS, CALLS_AT_ONCE)));
  }

  /** Ends, and removes the socket. */
  @Override
  public void close() throws IOException {
    server.close();
  }
}
