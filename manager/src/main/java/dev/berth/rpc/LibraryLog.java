package dev.berth.rpc;

import java.io.IOException;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what gRPC and Netty log off the process' standard error, and takes from it the one thing
 * that nobody else says: why a connection to a server of ours was ended.
 */
final class LibraryLog extends Handler {
  /** Where the thread of a server or a client speaks to. */
  private static final ThreadLocal<Consumer<String>> OWNER = new ThreadLocal<>();

  /** Loggers are forgotten, with their levels, once nobody holds them. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private static final Logger NETTY = Logger.getLogger("io.netty");
  private static final Logger CONNECTIONS = Logger.getLogger("io.grpc.netty.NettyServerHandler");

  static {
    GRPC.setUseParentHandlers(false);
    GRPC.setLevel(Level.OFF);
    NETTY.setUseParentHandlers(false);
    NETTY.setLevel(Level.OFF);
    CONNECTIONS.setUseParentHandlers(false);
    CONNECTIONS.setLevel(Level.FINE);
    CONNECTIONS.addHandler(new LibraryLog());
  }

  private LibraryLog() {
    setLevel(Level.FINE);
  }

  /** Has the class be initialised: from then on the libraries are quiet. */
  static void tame() {}

  /** Runs on behalf of somebody with a log. */
  static void of(Consumer<String> log, Runnable task) {
    OWNER.set(log);
    try {
      task.run();
    } finally {
      OWNER.remove();
    }
  }

  @Override
  public void publish(LogRecord record) {
    Consumer<String> log = OWNER.get();
    Throwable thrown = record.getThrown();
    // A client that hangs up in the middle is no news.
    if (log != null && thrown != null && !(thrown instanceof IOException)) {
      log.accept("connection ended: " + line(thrown.getMessage(), thrown));
    }
  }

  private static String line(@Nullable String message, Throwable thrown) {
    return Lines.shortened(message == null ? thrown.getClass().getSimpleName() : message);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
