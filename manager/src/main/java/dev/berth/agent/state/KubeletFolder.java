package dev.berth.agent.state;

import dev.berth.ledger.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** A folder of checkpoints without a journal: a kubelet's, not ours. */
public final class KubeletFolder {
  private KubeletFolder() {}

  /**
   * Writes the checkpoints anew; those that were there are kept aside. Nobody else may be using the
   * folder: a kubelet takes no lock.
   *
   * @return the names under which the old files are kept
   */
  public static List<String> replace(Path folder, Node now) throws IOException {
    Disk disk = new Disk(folder);
    List<String> kept = new ArrayList<>();
    for (String name : Checkpoints.FILES) {
      if (Files.exists(disk.path(name))) {
        String to = Recovery.asideName(folder, name);
        disk.create(to, Files.readAllBytes(disk.path(name)));
        disk.install(to);
        kept.add(to);
      }
    }
    Checkpoints checkpoints = new Checkpoints(disk);
    SortedMap<String, String> texts = Checkpoints.of(now);
    checkpoints.prepare(texts);
    checkpoints.install(texts);
    disk.syncFolder();
    return kept;
  }
}
