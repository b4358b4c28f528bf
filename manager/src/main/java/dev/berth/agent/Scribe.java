package dev.berth.agent;

import dev.berth.agent.state.StateFolder;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Has decisions on the disk, and keeps those to leave that could not be written down yet. */
final class Scribe {
  /** Kubernetes' files come so many milliseconds after the journal, where they may. */
  private static final long LATE = 20;

  /** How a pod leaves. */
  private sealed interface Leave {
    record Ended(String phase, String exits) implements Leave {}

    record Removed() implements Leave {}
  }

  /** A write to the state folder. */
  private interface Write {
    void run() throws IOException;
  }

  private final StateFolder state;
  private final Supplier<Node> node;
  private final Metrics metrics;
  private final Loop loop;
  private final BiConsumer<String, String> news;
  private boolean catchingUp;
  private final Map<String, Leave> unwritten = new LinkedHashMap<>();

  /** Why the last thing could not be written down; empty where it could. */
  private Optional<String> trouble = Optional.empty();

  /**
   * For a state folder.
   *
   * @param node who has what by now
   * @param loop does what nobody waits for
   * @param news told of a folder that is gone, by the kind of event
   */
  Scribe(
      StateFolder state,
      Supplier<Node> node,
      Metrics metrics,
      Loop loop,
      BiConsumer<String, String> news) {
    this.state = state;
    this.node = node;
    this.metrics = metrics;
    this.loop = loop;
    this.news = news;
  }

  /** Writes down that a pod was let in; the line to show where that cannot be. */
  Optional<String> admitted(Pod pod, String spec) {
    try {
      timed(() -> state.admitted(pod, spec, node.get()));
      trouble = Optional.empty();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(inTrouble(e));
    }
  }

  /** A refusal has no effect, so nothing is lost where it cannot be kept. */
  void refused(Pod pod, String spec, String reason) {
    try {
      timed(() -> state.refused(pod, spec, reason));
    } catch (IOException e) {
      return;
    }
  }

  /** A pod is being stopped; where that cannot be written down, a restart finds it running. */
  void stopping(String uid) {
    try {
      timed(() -> state.stopping(uid));
    } catch (IOException e) {
      return;
    }
  }

  /** A pod has given back what it had, and stays on the list of those who were there. */
  void ended(String uid, String phase, String exits) {
    leave(uid, new Leave.Ended(phase, exits));
  }

  /** A pod has given back what it had, and is to be forgotten. */
  void removed(String uid) {
    leave(uid, new Leave.Removed());
  }

  private void leave(String uid, Leave how) {
    unwritten.put(uid, how);
    write();
  }

  /** Writes down what could not be written before; the line to show where it still cannot. */
  Optional<String> write() {
    Optional<String> lost = restore();
    if (lost.isPresent()) {
      return lost;
    }
    while (!unwritten.isEmpty()) {
      Map.Entry<String, Leave> next = unwritten.entrySet().iterator().next();
      try {
        write(next.getKey(), next.getValue());
      } catch (IOException e) {
        return Optional.of(inTrouble(e));
      }
      unwritten.remove(next.getKey());
      trouble = Optional.empty();
    }
    return Optional.empty();
  }

  /** Writes the whole state anew where its folder was removed or replaced. */
  private Optional<String> restore() {
    if (state.isInPlace()) {
      return Optional.empty();
    }
    try {
      timed(state::restore);
    } catch (IOException e) {
      boolean known = trouble.isPresent();
      String line = inTrouble(e);
      if (!known) {
        news.accept("failed", line);
      }
      return Optional.of(line);
    }
    trouble = Optional.empty();
    news.accept(
        "repaired", "state folder " + state.folder() + " was removed or replaced: written anew");
    return Optional.empty();
  }

  private void write(String uid, Leave how) throws IOException {
    switch (how) {
      case Leave.Ended ended ->
          timed(() -> state.ended(uid, ended.phase(), ended.exits(), node.get()));
      case Leave.Removed _ -> {
        if (isWritten(uid)) {
          timed(() -> state.removed(uid, node.get()));
        }
      }
    }
  }

  /** A refusal that could not be written down is not there to be removed. */
  private boolean isWritten(String uid) {
    return state.unknown().containsKey(uid)
        || state.pods().stream().anyMatch(pod -> pod.uid().equals(uid));
  }

  /** Brings Kubernetes' files up to what was written down; where that fails, the next pass does. */
  void catchUp() {
    catchingUp = false;
    try {
      state.catchUp(node.get());
    } catch (IOException e) {
      inTrouble(e);
    }
  }

  /** Why nothing could be written now; tries again where something failed before. */
  Optional<String> unready() {
    Optional<String> behind = write();
    if (behind.isPresent() || trouble.isEmpty()) {
      return behind;
    }
    try {
      state.probe();
      state.catchUp(node.get());
      trouble = Optional.empty();
    } catch (IOException e) {
      return Optional.of(inTrouble(e));
    }
    return trouble;
  }

  private void timed(Write write) throws IOException {
    long began = System.nanoTime();
    boolean succeeded = false;
    try {
      write.run();
      succeeded = true;
    } finally {
      boolean written = succeeded;
      long took = System.nanoTime() - began;
      loop.afterwards(() -> metrics.written(written, took));
    }
    if (state.isBehind() && !catchingUp) {
      catchingUp = true;
      loop.afterwards(() -> {
        var _ = loop.schedule(this::catchUp, LATE);
      });
    }
  }

  private String inTrouble(IOException e) {
    String line = "state folder " + state.folder() + " cannot be written: " + words(e);
    trouble = Optional.of(line);
    return line;
  }

  private static String words(IOException e) {
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    String kind = e.getClass().getSimpleName().replace("Exception", "");
    return kind.equals("IO") ? String.valueOf(e.getMessage()) : kind + " " + e.getMessage();
  }
}
