package dev.berth.agent.state;

import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;

/** The journal and the checkpoints of a folder, which change together or not at all. */
final class FolderFiles implements AutoCloseable {
  /** A journal may grow to twice what it was when it was begun, and to this in any case. */
  private static final long SMALL_BYTES = 256 << 10;

  private final Disk disk;
  private final Journal journal;
  private final Checkpoints checkpoints;
  private long bound = SMALL_BYTES;

  /** Whether the disk may hold something else than it is to. */
  private boolean broken;

  FolderFiles(Disk disk) {
    this.disk = disk;
    journal = new Journal(disk);
    checkpoints = new Checkpoints(disk);
  }

  /** What the checkpoints are to hold as long as nothing happens. */
  SortedMap<String, String> checkpoints() {
    return checkpoints.current();
  }

  /** Whether the next line makes the journal be written anew. */
  boolean isFull() {
    return broken || journal.length() > bound;
  }

  /** Whether the files are still those that were written. */
  boolean isInPlace() {
    return broken || (journal.isInPlace() && checkpoints.areThere());
  }

  /** From now on the files are taken to be gone: everything is written anew with the next line. */
  void distrust() {
    broken = true;
    checkpoints.distrust();
    journal.lost();
  }

  /** Writes everything anew, where it may have to be. */
  void restore(Table table) throws IOException {
    if (broken) {
      repair(table);
    }
  }

  /** Writes checkpoints for lines that are there already, or throws and is to be called again. */
  void catchUp(Map<String, String> texts) throws IOException {
    replaceCheckpoints(texts);
  }

  /**
   * Writes a line and the checkpoints that belong to it, or throws and changes nothing.
   *
   * @param durable whether it is to be on the disk afterwards
   * @param table what the journal comes to before the line
   */
  void write(Entry entry, Map<String, String> texts, boolean durable, Table table)
      throws IOException {
    if (broken) {
      repair(table);
    }
    if (journal.length() > bound) {
      compact(table);
    }
    byte[] line = JournalText.write(entry);
    try {
      journal.append(line, durable);
      replaceCheckpoints(texts);
    } catch (IOException e) {
      takeBack(table, e);
      throw e;
    }
    journal.accept(line, durable);
  }

  private void replaceCheckpoints(Map<String, String> texts) throws IOException {
    if (checkpoints.hold(texts)) {
      return;
    }
    checkpoints.prepare(texts);
    if (checkpoints.install(texts)) {
      disk.syncFolder();
    }
    checkpoints.settle(texts);
  }

  /** As far as the disk allows; what is left over is mended by the next call. */
  private void takeBack(Table table, IOException because) {
    broken = true;
    try {
      repair(table);
    } catch (IOException e) {
      because.addSuppressed(e);
    }
  }

  /** Brings the files back to what they are to hold. */
  private void repair(Table table) throws IOException {
    checkpoints.distrust();
    if (journal.isReplacing()) {
      rewrite(table, checkpoints.current());
    } else {
      journal.mend();
      replaceCheckpoints(checkpoints.current());
      broken = false;
    }
  }

  private void compact(Table table) throws IOException {
    try {
      rewrite(table, checkpoints.current());
    } catch (IOException e) {
      if (journal.isReplacing()) {
        throw e;
      }
      bound *= 2; // there is no room for a new journal beside the old one, perhaps later
    }
  }

  /** Writes everything anew, or throws; then the next call brings back what was to be there. */
  void rewrite(Table from, Map<String, String> texts) throws IOException {
    byte[] text = JournalText.write(from.entries());
    disk.create(Journal.FILE, text);
    checkpoints.prepare(texts);
    broken = true;
    journal.replacing();
    disk.install(Journal.FILE);
    checkpoints.install(texts);
    disk.syncFolder();
    journal.replaced(text.length);
    checkpoints.settle(texts);
    bound = Math.max(SMALL_BYTES, 2L * text.length);
    broken = false;
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
