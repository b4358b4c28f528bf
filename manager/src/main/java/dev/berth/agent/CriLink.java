package dev.berth.agent;

import dev.berth.agent.Hints.Hint;
import dev.berth.cri.ContainerDetail;
import dev.berth.cri.CriClient;
import dev.berth.cri.CriEvent;
import dev.berth.cri.CriEvents;
import dev.berth.cri.CriListener;
import dev.berth.cri.CriState;
import dev.berth.cri.Updated;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Looks after containers of a runtime that we have to look at: CRI.
 *
 * <p>Owns three threads, so that nothing waits for a runtime on the loop. One hears events, one
 * looks at what the events are about and now and then at everything, one has containers moved.
 * Events only say where to look, so one that is lost costs time and nothing else.
 */
final class CriLink implements RuntimeLink, CriListener {
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /** How often all is looked at, in milliseconds, where the runtime has events or has none. */
  private static final long WITH_EVENTS = 10_000;

  private static final long WITHOUT_EVENTS = 1_000;

  private static final long FIRST_PAUSE = 50;
  private static final long LONGEST_PAUSE = 1_000;

  private final Path socket;
  private final Guests guests;
  private final Loop loop;
  private final Consumer<String> log;
  private final boolean pretending;
  private final CriClient client;
  private final CriWatch watch;
  private final Hints hints = new Hints();
  private final Thread watching =
      Thread.ofPlatform().daemon().name("cri-watch").unstarted(this::watch);
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("cri-updates").factory());
  private volatile Optional<CriEvents> events = Optional.empty();
  private volatile boolean tells;
  private volatile String fault = "it has not been asked yet";
  private long pause = FIRST_PAUSE;

  CriLink(Path socket, Guests guests, Loop loop, Consumer<String> log, boolean pretending) {
    this.socket = socket;
    this.guests = guests;
    this.loop = loop;
    this.log = log;
    this.pretending = pretending;
    client = CriClient.of(socket, DEADLINE);
    watch = new CriWatch(client, guests, loop, log);
  }

  @Override
  public void begin() {
    hints.add(new Hint.All());
    watching.start();
    events = Optional.of(client.follow(this, log));
  }

  @Override
  public void look() {
    hints.add(new Hint.All());
  }

  @Override
  public void connected() {
    tells = true;
    hints.add(new Hint.All());
  }

  @Override
  public void lost() {
    tells = false;
    hints.add(new Hint.All());
  }

  @Override
  public void unsupported() {
    tells = false;
  }

  @Override
  public void happened(CriEvent event) {
    hints.add(event.isOfSandbox() ? new Hint.All() : new Hint.One(event.id(), event.sandbox()));
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        Optional<Hint> hint = hints.next(patience());
        if (fault.isEmpty() && hint.orElse(new Hint.All()) instanceof Hint.One one) {
          watch.look(one.id(), one.sandbox());
        } else {
          // Something was missed.
          watch.look();
        }
        answered();
      } catch (IOException e) {
        unanswered(String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        loop.submit(() -> {
          throw e;
        });
        unanswered(e.toString());
      }
    }
  }

  private long patience() {
    if (!fault.isEmpty()) {
      return pause;
    }
    return tells ? WITH_EVENTS : WITHOUT_EVENTS;
  }

  private void answered() {
    pause = FIRST_PAUSE;
    if (!fault.isEmpty()) {
      // In turn after what was found, so that whoever finds us ready finds everybody.
      loop.submit(() -> {
        fault = "";
        guests.resettle();
      });
    }
  }

  private void unanswered(String why) {
    pause = Math.min(LONGEST_PAUSE, pause * 2);
    if (!why.equals(fault) && !Thread.currentThread().isInterrupted()) {
      log.accept(why);
      fault = why;
    }
  }

  @Override
  public CompletableFuture<Set<String>> update(List<Place> places) {
    if (pretending) {
      return CompletableFuture.completedFuture(Set.of());
    }
    CompletableFuture<Set<String>> done = new CompletableFuture<>();
    try {
      sender.execute(() -> {
        try {
          done.complete(move(places));
        } catch (IOException | RuntimeException e) {
          done.completeExceptionally(e);
        }
      });
    } catch (RejectedExecutionException e) {
      done.completeExceptionally(e);
    }
    return done;
  }

  /** Has containers moved one after the other; who could not be. */
  private Set<String> move(List<Place> places) throws IOException {
    Set<String> failed = new HashSet<>();
    for (Place place : places) {
      if (!isMoved(place)) {
        failed.add(place.id());
      }
    }
    return failed;
  }

  private boolean isMoved(Place place) throws IOException {
    try {
      return switch (client.update(place.id(), CriGuests.resources(place))) {
        case Updated.Done _, Updated.Gone _ -> true;
        case Updated.Refused refused -> isOver(place.id()) || isRefused(place, refused.why());
      };
    } catch (IOException e) {
      // A runtime that answers otherwise has trouble with this container, and others can be moved.
      client.version();
      return isRefused(place, String.valueOf(e.getMessage()));
    }
  }

  /** Whether a container has ended meanwhile; soon that is seen. */
  private boolean isOver(String id) throws IOException {
    Optional<ContainerDetail> detail = client.container(id);
    return detail.isEmpty() || detail.get().state() == CriState.EXITED;
  }

  private boolean isRefused(Place place, String why) {
    log.accept("CRI: container " + place.id() + " could not be moved: " + why);
    return false;
  }

  @Override
  public Optional<String> unready() {
    String now = fault;
    return now.isEmpty()
        ? Optional.empty()
        : Optional.of("no runtime can be looked at by CRI at " + socket + ": " + now);
  }

  @Override
  public void close() throws IOException {
    watching.interrupt();
    events.ifPresent(CriEvents::close);
    sender.shutdownNow();
    client.close();
  }
}
