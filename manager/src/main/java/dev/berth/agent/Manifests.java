package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.RunnablePod;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A folder whose pods are run: one that comes is let in, one that changes is replaced, one that
 * goes is stopped. A file that cannot be understood leaves its pods as they were.
 *
 * <p>{@link #scan} is called on the loop: when the kernel reports a change, and at every
 * reconciling in case a report was missed.
 */
final class Manifests implements AutoCloseable {
  private static final long LARGEST = 8 << 20;

  /** When a file was read, so that one that has not changed is not read again. */
  private record Reading(FileTime time, long size) {}

  private final Path folder;
  private final Keeper keeper;
  private final Reception reception;
  private final Events events;
  private final Map<Path, Reading> readings = new TreeMap<>();
  private final Map<Path, List<RunnablePod>> understood = new HashMap<>();
  private Optional<WatchService> watch = Optional.empty();

  private Manifests(Path folder, Keeper keeper, Reception reception, Events events) {
    this.folder = folder;
    this.keeper = keeper;
    this.reception = reception;
    this.events = events;
  }

  /**
   * Begins with a folder, which need not be there yet.
   *
   * @param changed called on a thread of its own whenever something in it has changed
   */
  static Manifests open(
      Path folder, Keeper keeper, Reception reception, Events events, Runnable changed) {
    Manifests manifests = new Manifests(folder, keeper, reception, events);
    try {
      WatchService watch = folder.getFileSystem().newWatchService();
      folder.register(
          watch,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      Thread.ofPlatform().daemon().name("berth-manifests").start(() -> watch(watch, changed));
      manifests.watch = Optional.of(watch);
    } catch (IOException e) {
      events.add(
          "failed", "", folder + ": cannot be watched, so it is looked at when reconciling: " + e);
    }
    return manifests;
  }

  private static void watch(WatchService watch, Runnable changed) {
    try {
      while (true) {
        var key = watch.take();
        key.pollEvents();
        changed.run();
        key.reset();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ClosedWatchServiceException e) {
      // Closing the service is how this thread is told to end.
      return;
    }
  }

  /** Brings what runs to what lies in the folder. */
  void scan() {
    try {
      read();
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      // Nothing is stopped because a folder cannot be listed for a while.
      return;
    }
    Map<String, RunnablePod> wanted = new LinkedHashMap<>();
    readings
        .keySet()
        .forEach(file ->
            understood
                .getOrDefault(file, List.of())
                .forEach(pod -> wanted.putIfAbsent(pod.uid(), pod)));
    for (Tenant resident : keeper.residents().copy()) {
      RunnablePod pod = wanted.get(resident.uid());
      boolean gone = pod == null && !isUncertain();
      boolean changed = pod != null && !pod.text().equals(resident.pod().text());
      if (resident.origin() == Origin.MANIFEST && (gone || changed)) {
        keeper.remove(resident);
      }
    }
    wanted.values().forEach(this::admit);
  }

  /** Whether a file was never understood, so that a pod may be meant by it that runs already. */
  private boolean isUncertain() {
    return !understood.keySet().containsAll(readings.keySet());
  }

  /** The file that a pod is in. */
  Optional<Path> fileOf(String uid) {
    return understood.entrySet().stream()
        .filter(entry -> entry.getValue().stream().anyMatch(pod -> pod.uid().equals(uid)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** One that is still being stopped is let in by the next scan. */
  private void admit(RunnablePod pod) {
    if (!keeper.residents().contains(pod.uid())) {
      var _ = reception.admit(pod, Origin.MANIFEST, Optional.empty());
      pod.warnings().forEach(line -> events.add("warning", pod.manifest().name(), line));
    }
  }

  private void read() throws IOException {
    Map<Path, Reading> now = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{yaml,yml,json}")) {
      for (Path file : files) {
        if (Files.isRegularFile(file) && !file.getFileName().toString().startsWith(".")) {
          now.put(file, read(file));
        }
      }
    }
    understood.keySet().retainAll(now.keySet());
    readings.clear();
    readings.putAll(now);
  }

  private Reading read(Path file) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    long size = Files.size(file);
    Reading before = readings.get(file);
    if (before != null && before.time().equals(time) && before.size() == size) {
      return before;
    }
    try {
      if (size > LARGEST) {
        throw new InvalidInputException(
            file + ": expected at most " + LARGEST + " bytes, found " + size);
      }
      List<RunnablePod> pods = RunnablePod.read(file.toString(), Files.readString(file));
      understood.put(file, pods);
    } catch (InvalidInputException e) {
      events.add("failed", "", e.line());
    } catch (IOException e) {
      events.add(
          "failed", "", file + ": expected a file that can be read, found " + e.getMessage());
    }
    return new Reading(time, size);
  }

  @Override
  public void close() throws IOException {
    if (watch.isPresent()) {
      watch.get().close();
    }
  }
}
