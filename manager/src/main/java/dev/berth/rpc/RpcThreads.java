package dev.berth.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;

/** The one thread on which a client or a server reads and writes. */
final class RpcThreads {
  private static final long QUIET = 0;
  private static final long LONGEST = 1_000;

  private RpcThreads() {}

  static EventLoopGroup one() {
    return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  static void end(EventLoopGroup group) {
    var _ = group.shutdownGracefully(QUIET, LONGEST, TimeUnit.MILLISECONDS);
  }
}
