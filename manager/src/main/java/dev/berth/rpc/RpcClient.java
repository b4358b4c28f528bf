package dev.berth.rpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** A connection to a socket, made when it is first used and again whenever it was lost. */
public final class RpcClient implements AutoCloseable {
  /** What a runtime with thousands of containers may answer. */
  private static final int MOST_BYTES = 16 << 20;

  private final EventLoopGroup threads;
  private final ManagedChannel channel;

  private RpcClient(Path socket) {
    threads = RpcThreads.one();
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .eventLoopGroup(threads)
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .usePlaintext()
            .overrideAuthority("localhost")
            .maxInboundMessageSize(MOST_BYTES)
            .directExecutor()
            .build();
  }

  /** Speaks to whoever listens on a socket. */
  public static RpcClient of(Path socket) {
    return new RpcClient(socket);
  }

  /** For the stubs of a service. Answers come on the thread that reads, so they must be short. */
  public ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
    RpcThreads.end(threads);
  }
}
