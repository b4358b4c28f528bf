package dev.berth.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The one thread on which a client or a server reads and writes. */
final class RpcThreads {
  /**
   * A call that was on its way when its connection was closed still finds the thread, and ends with
   * a status as any other; without the thread the library throws something else.
   */
  private static final long QUIET = 100;

  private static final long LONGEST = 1_000;

  private RpcThreads() {}

  /** A thread with a name; what the library has to say on it goes to this log. */
  static EventLoopGroup one(String name, Consumer<String> log) {
    LibraryLog.tame();
    ThreadFactory factory =
        task ->
            Thread.ofPlatform()
                .daemon()
                .name("rpc " + name)
                .unstarted(() -> LibraryLog.of(log, task));
    return new MultiThreadIoEventLoopGroup(1, factory, NioIoHandler.newFactory());
  }

  static void end(EventLoopGroup group) {
    var _ = group.shutdownGracefully(QUIET, LONGEST, TimeUnit.MILLISECONDS);
  }
}
