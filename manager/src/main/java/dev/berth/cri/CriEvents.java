package dev.berth.cri;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Follows a runtime's events. Owns the thread on which the listener hears. */
public final class CriEvents implements AutoCloseable {
  private static final String METHOD = "GetContainerEvents";
  private static final String NO_EVENTS =
      "CRI: the runtime has no events, so containers are listed now and then";
  private static final long FIRST_PAUSE = 50;
  private static final long LONGEST_PAUSE = 1_000;

  /** A runtime without events may be replaced by one that has them. */
  private static final long UNSUPPORTED_PAUSE = 60_000;

  private final CriClient client;
  private final CriListener listener;
  private final Consumer<String> log;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread following =
      Thread.ofPlatform().daemon().name("cri events").unstarted(this::run);
  private RuntimeVersion lastRuntime = new RuntimeVersion("", "", "");
  private String lastFault = "";

  private CriEvents(CriClient client, CriListener listener, Consumer<String> log) {
    this.client = client;
    this.listener = listener;
    this.log = log;
  }

  static CriEvents start(CriClient client, CriListener listener, Consumer<String> log) {
    CriEvents events = new CriEvents(client, listener, log);
    events.following.start();
    return events;
  }

  private void run() {
    long pause = FIRST_PAUSE;
    while (closed.getCount() > 0) {
      pause =
          switch (follow()) {
            case HEARD -> FIRST_PAUSE;
            case AWAY -> Math.min(LONGEST_PAUSE, pause * 2);
            case UNSUPPORTED -> UNSUPPORTED_PAUSE;
          };
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

  /** How one stream went. */
  private enum End {
    HEARD,
    AWAY,
    UNSUPPORTED
  }

  /** One stream from its beginning to its end. */
  private End follow() {
    boolean connected = false;
    try (EventStream events = client.events()) {
      // A stream says nothing until something happens, so whether anybody is there is asked apart.
      RuntimeVersion runtime = client.version();
      connected = true;
      listener.connected();
      tellConnected(runtime);
      // A CRI-O whose events are off, as they are by default, ends the stream at once.
      if (!events.hasNext()) {
        return unsupported();
      }
      while (events.hasNext()) {
        listener.happened(events.next());
      }
      fault("CRI: the runtime ended the events");
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return unsupported();
      }
      fault(String.valueOf(client.fault(METHOD, e).getMessage()));
    } catch (IOException e) {
      fault(String.valueOf(e.getMessage()));
    }
    if (!connected) {
      return End.AWAY;
    }
    listener.lost();
    return End.HEARD;
  }

  private End unsupported() {
    fault(NO_EVENTS);
    listener.unsupported();
    return End.UNSUPPORTED;
  }

  /** A runtime without events is asked again and again, which is nobody's news. */
  private void tellConnected(RuntimeVersion runtime) {
    if (!runtime.equals(lastRuntime) || !lastFault.equals(NO_EVENTS)) {
      log.accept("CRI: connected to " + runtime.name() + " " + runtime.version());
      lastRuntime = runtime;
      lastFault = "";
    }
  }

  /** The same fault again and again is told once. */
  private void fault(String why) {
    if (!why.equals(lastFault) && closed.getCount() > 0) {
      log.accept(why);
      lastFault = why;
    }
  }

  /**
   * Ends the stream. Unless it is the listener who closes, it hears nothing after this returned.
   */
  @Override
  public void close() {
    closed.countDown();
    following.interrupt();
    if (following.equals(Thread.currentThread())) {
      return;
    }
    try {
      following.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
