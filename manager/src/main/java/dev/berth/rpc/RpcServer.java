package dev.berth.rpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Serves on a socket that only its owner may use.
 *
 * <p>Who sends garbage, or nothing that makes sense for {@link #PATIENCE}, is disconnected. The
 * others do not notice.
 */
public final class RpcServer implements AutoCloseable {
  /** Who has been silent for this long is asked for a sign of life, and has as long to give it. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final int MOST_BYTES = 4 << 20;
  private static final int MOST_METADATA = 8 << 10;
  private static final int MOST_CALLS = 32;
  private static final long LONGEST_END = 1_000;

  /** Lines a second about clients that misbehave, and at once: they must not fill a disk. */
  private static final double LINES = 1;

  private static final int LINES_AT_ONCE = 10;

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
    return start(socket, line -> {}, services, interceptors);
  }

  /**
   * Begins to serve, and tells a log, a line each, whom it disconnects and which calls make no
   * sense.
   *
   * @throws IOException where nobody can listen there
   */
  public static RpcServer start(
      Path socket,
      Consumer<String> log,
      List<BindableService> services,
      ServerInterceptor... interceptors)
      throws IOException {
    return start(socket, log, PATIENCE, services, interceptors);
  }

  static RpcServer start(
      Path socket,
      Consumer<String> log,
      Duration patience,
      List<BindableService> services,
      ServerInterceptor... interceptors)
      throws IOException {
    // Nobody can connect before the permissions are what they should be.
    Path hidden = socket.resolveSibling("." + socket.getFileName() + ".new");
    Files.deleteIfExists(hidden);
    Consumer<String> lines = named(socket, log);
    EventLoopGroup threads = RpcThreads.one(String.valueOf(socket.getFileName()), lines);
    ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    NettyServerBuilder builder = bounded(hidden, threads, patience).executor(workers);
    builder
        .channelFactory(() -> Greeting.door(patience, lines))
        .addStreamTracerFactory(new FailedCalls(lines));
    services.forEach(builder::addService);
    for (ServerInterceptor interceptor : interceptors) {
      builder.intercept(interceptor);
    }
    RpcServer server = new RpcServer(socket, threads, workers, builder.build());
    try {
      server.server.start();
      Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
      Files.move(hidden, socket, StandardCopyOption.ATOMIC_MOVE);
      return server;
    } catch (IOException | RuntimeException e) {
      server.end();
      Files.deleteIfExists(hidden);
      throw e;
    }
  }

  private static NettyServerBuilder bounded(Path path, EventLoopGroup threads, Duration patience) {
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
        .bossEventLoopGroup(threads)
        .workerEventLoopGroup(threads)
        .keepAliveTime(patience.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveWithoutCalls(true)
        .permitKeepAliveTime(1, TimeUnit.SECONDS)
        .maxConcurrentCallsPerConnection(MOST_CALLS)
        .maxInboundMessageSize(MOST_BYTES)
        .maxInboundMetadataSize(MOST_METADATA);
  }

  private static Consumer<String> named(Path socket, Consumer<String> log) {
    TokenBucket lines = new TokenBucket(LINES, LINES_AT_ONCE, System::nanoTime);
    return line -> {
      if (lines.tryTake()) {
        log.accept(socket + ": " + line);
      }
    };
  }

  private void end() {
    server.shutdownNow();
    try {
      server.awaitTermination(LONGEST_END, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RpcThreads.end(threads);
    // A service that hangs must not keep anybody.
    workers.shutdownNow();
  }

  /** Ends all that is being said, and removes the socket. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(socket);
    end();
  }
}
