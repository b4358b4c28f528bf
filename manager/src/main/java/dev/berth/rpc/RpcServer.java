package dev.berth.rpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves on a socket that only its owner may use. */
public final class RpcServer implements AutoCloseable {
  private static final int MOST_BYTES = 4 << 20;
  private static final int MOST_METADATA = 8 << 10;

  private final Path socket;
  private final EventLoopGroup threads;
  private final ExecutorService workers;
  private final Server server;

  private RpcServer(Path socket, EventLoopGroup threads, ExecutorService workers, Server server) {
    this.socket = socket;
    this.threads = threads;
    this.workers = workers;
    this.server = server;
  }

  /**
   * Begins to serve; what an earlier one left at this path makes way. Each call has a thread of its
   * own.
   *
   * @throws IOException where nobody can listen there
   */
  public static RpcServer start(
      Path socket, List<BindableService> services, ServerInterceptor... interceptors)
      throws IOException {
    // Nobody can connect before the permissions are what they should be.
    Path hidden = socket.resolveSibling("." + socket.getFileName() + ".new");
    Files.deleteIfExists(hidden);
    EventLoopGroup threads = RpcThreads.one();
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(hidden))
            .bossEventLoopGroup(threads)
            .workerEventLoopGroup(threads)
            .channelType(NioServerDomainSocketChannel.class)
            .executor(workers)
            .maxInboundMessageSize(MOST_BYTES)
            .maxInboundMetadataSize(MOST_METADATA);
    services.forEach(builder::addService);
    for (ServerInterceptor interceptor : interceptors) {
      builder.intercept(interceptor);
    }
    RpcServer server = new RpcServer(socket, threads, workers, builder.build());
    try {
      server.server.start();
      Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
      Files.deleteIfExists(socket);
      Files.move(hidden, socket);
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Ends all that is being said, and removes the socket. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(socket);
    server.shutdownNow();
    RpcThreads.end(threads);
    workers.close();
  }
}
