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

  private RpcClient(Path socket, int mostBytes) {
    threads = RpcThreads.one(String.valueOf(socket.getFileName()), line -> {});
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .eventLoopGroup(threads)
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .usePlaintext()
            .overrideAuthority("localhost")
            .maxInboundMessageSize(mostBytes)
            .intercept(new BoundedAnswers())
            .directExecutor()
            .build();
  }

  /** Speaks to whoever listens on a socket. */
  public static RpcClient of(Path socket) {
    return new RpcClient(socket, MOST_BYTES);
  }

  /** Speaks to somebody who is believed up to so many bytes a message. */
  public static RpcClient of(Path socket, int mostBytes) {
    return new RpcClient(socket, mostBytes);
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
