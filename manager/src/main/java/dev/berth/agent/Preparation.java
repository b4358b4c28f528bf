package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.Handover;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has device plugins asked on behalf of pods that the agent starts. A plugin may take its time, and
 * nobody but its own pod is to wait for it: each question has a thread of its own, and its answer
 * is told on the loop, where everything else here happens too. What nobody wants to know any more
 * is not told.
 */
final class Preparation implements AutoCloseable {
  private static final long LONGEST_END = 5;

  /** A question that is under way; its identity tells it from a later one. */
  private static final class Question {
    private final String uid;

    Question(String uid) {
      this.uid = uid;
    }
  }

  private record Key(String uid, String container) {}

  /** What plugins answered for a start, and for which devices that holds. */
  private record Ready(SortedMap<String, List<String>> ids, Answer<Handover> answer) {}

  private final Loop loop;
  private final Books books;
  private final PluginDevices plugins;
  private final Map<Question, Future<?>> underWay = new HashMap<>();
  private final Map<Key, Ready> ready = new HashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("berth-plugins-", 0).factory());

  Preparation(Loop loop, Books books, PluginDevices plugins) {
    this.loop = loop;
    this.books = books;
    this.plugins = plugins;
  }

  private SortedMap<String, List<String>> devices(Tenant tenant, String container) {
    return books.node().deviceAssignments().of(tenant.uid(), container);
  }

  /** Whether a plugin has to be asked before a pod can begin. */
  boolean isNeeded(Tenant tenant) {
    return tenant.life().containers().stream()
        .anyMatch(container -> plugins.isAsked(devices(tenant, container.name())));
  }

  /**
   * Has the plugins hand on what a pod's containers were given, before the first of them begins. A
   * command begins as soon as it knows, so for that they also prepare.
   *
   * @param then told why it cannot have its devices; none where it can
   */
  void enter(Tenant tenant, Consumer<Optional<String>> then) {
    boolean command = tenant.origin() == Origin.RUN;
    List<Supplier<Answer<Handover>>> parts =
        tenant.life().containers().stream()
            .map(container -> part(tenant, container.name(), command))
            .toList();
    ask(tenant.uid(), () -> refusal(parts), then, Optional::of);
  }

  private Supplier<Answer<Handover>> part(Tenant tenant, String container, boolean command) {
    SortedMap<String, List<String>> ids = devices(tenant, container);
    return () -> {
      plugins.awaitPlugins(ids);
      return command
          ? plugins.prepared(tenant.request(), container, ids)
          : plugins.handover(tenant.request(), container, ids);
    };
  }

  private static Optional<String> refusal(List<Supplier<Answer<Handover>>> parts) {
    for (Supplier<Answer<Handover>> part : parts) {
      if (part.get() instanceof Answer.Refused<Handover>(String line)) {
        return Optional.of(line);
      }
    }
    return Optional.empty();
  }

  /**
   * What a container is to be started with now. Where plugins have to be asked first, none; then
   * this is to be called again. One that never ran waits for plugins which have not come since the
   * agent began: the agent before would have started it, and it may be meant to start only once.
   *
   * @param then called when it is to be called again
   */
  Optional<Answer<Handover>> start(Tenant tenant, ContainerLife life, Runnable then) {
    String container = life.name();
    boolean neverRan = life.code().isEmpty();
    Key key = new Key(tenant.uid(), container);
    SortedMap<String, List<String>> ids = devices(tenant, container);
    if (!plugins.isAsked(ids)) {
      return Optional.of(plugins.handover(tenant.request(), container, ids));
    }
    Ready before = ready.remove(key);
    if (before != null && before.ids().equals(ids)) {
      return Optional.of(before.answer());
    }
    this.<Answer<Handover>>ask(
        tenant.uid(),
        () -> {
          if (neverRan) {
            plugins.awaitPlugins(ids);
          }
          return plugins.prepared(tenant.request(), container, ids);
        },
        answer -> {
          ready.put(key, new Ready(ids, answer));
          then.run();
        },
        Answer.Refused<Handover>::new);
    return Optional.empty();
  }

  /**
   * What a command finds in its environment because of devices that it was handed. Of mounts and
   * device nodes there is no need: the host's own are there.
   *
   * @throws InvalidInputException where it was handed none
   */
  Map<String, String> environment(Tenant tenant, String container) {
    return switch (plugins.remembered(tenant.uid(), container, devices(tenant, container))) {
      case Answer.Given<Handover>(Handover handover) -> handover.environment();
      case Answer.Refused<Handover>(String line) ->
          throw new InvalidInputException(tenant.title() + "/" + container + ": " + line);
    };
  }

  private <T> void ask(
      String uid, Supplier<T> asking, Consumer<T> then, Function<String, T> failed) {
    Question question = new Question(uid);
    try {
      underWay.put(
          question,
          threads.submit(() -> {
            T answer = answer(asking, failed);
            // An agent that ends has its questions cut short: those are no answers.
            if (!threads.isShutdown()) {
              loop.submit(() -> {
                if (underWay.remove(question) != null) {
                  then.accept(answer);
                }
              });
            }
          }));
    } catch (RejectedExecutionException e) {
      // The agent ends, and the next one asks.
      return;
    }
  }

  private static <T> T answer(Supplier<T> asking, Function<String, T> failed) {
    try {
      return asking.get();
    } catch (RuntimeException e) {
      return failed.apply("device plugins: internal error: " + e);
    }
  }

  /** Nothing of a pod is to begin any more: nobody waits for its plugins. */
  void cancel(String uid) {
    underWay
        .entrySet()
        .removeIf(entry -> entry.getKey().uid.equals(uid) && cancelled(entry.getValue()));
    ready.keySet().removeIf(key -> key.uid().equals(uid));
  }

  private static boolean cancelled(Future<?> question) {
    question.cancel(true);
    return true;
  }

  /** Asks nobody any more, and tells nobody. From any thread. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      var _ = threads.awaitTermination(LONGEST_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
