package dev.berth.agent.state;

import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Kubernetes' files beside the journal, each written anew where its content changes. */
final class Checkpoints {
  static final String CPU = "cpu_manager_state";
  static final String MEMORY = "memory_manager_state";

  static final List<String> FILES = List.of(CPU, MEMORY);

  private final Disk disk;
  private final List<String> prepared = new ArrayList<>();

  private SortedMap<String, String> current = new TreeMap<>();
  private boolean trusted;

  Checkpoints(Disk disk) {
    this.disk = disk;
  }

  /** What the files are to hold, by name. */
  static SortedMap<String, String> of(Node node) {
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put(
        CPU,
        CpuCheckpoint.of(Apart.joined(node.assignments()), node.configuration().gates()).write());
    node.memoryAssignments()
        .ifPresent(memory ->
            texts.put(
                MEMORY,
                MemoryCheckpoint.of(Apart.joined(memory), node.configuration().gates()).write()));
    return texts;
  }

  /** What the files are to hold as long as nothing happens. */
  SortedMap<String, String> current() {
    return current;
  }

  /** Whether the files are known to hold this already. */
  boolean hold(Map<String, String> texts) {
    return trusted && texts.equals(current);
  }

  /** Whether the files that were written are there. */
  boolean areThere() {
    for (String name : current.keySet()) {
      if (!Files.exists(disk.path(name))) {
        return false;
      }
    }
    return true;
  }

  /** From now on, the files are taken to hold anything. */
  void distrust() {
    trusted = false;
  }

  /** Writes new files beside those that are to change. */
  void prepare(Map<String, String> texts) throws IOException {
    prepared.clear();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      if (!trusted || !text.getValue().equals(current.get(text.getKey()))) {
        disk.create(text.getKey(), text.getValue().getBytes(StandardCharsets.UTF_8));
        prepared.add(text.getKey());
      }
    }
  }

  /**
   * Puts the new files in their places and takes away those that are no longer to be there.
   *
   * @return whether anything changed, so that the folder is to be synced
   */
  boolean install(Map<String, String> texts) throws IOException {
    boolean changed = !prepared.isEmpty();
    boolean before = trusted;
    trusted = false;
    for (String name : prepared) {
      disk.install(name);
    }
    prepared.clear();
    for (String name : FILES) {
      if (!texts.containsKey(name) && Files.exists(disk.path(name))) {
        disk.delete(name);
        changed = true;
      }
    }
    trusted = before && !changed;
    return changed;
  }

  /** From now on, the files are known to hold this. */
  void settle(Map<String, String> texts) {
    current = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
    trusted = true;
  }
}
