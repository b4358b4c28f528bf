package dev.berth.agent.state;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The journal's file, open at its end. */
final class Journal implements AutoCloseable {
  static final String FILE = "berth_state";

  private final Disk disk;
  private @Nullable FileChannel channel;

  /** Up to here it is on the disk for certain. */
  private long synced;

  /** The lines behind that, which no sync has covered yet. */
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  private boolean replacing;

  /** Which file is written to, as the file system knows it; nothing before the first. */
  private @Nullable Object key;

  Journal(Disk disk) {
    this.disk = disk;
  }

  long length() {
    return synced + pending.size();
  }

  /** Whether nobody knows which file is in place, the old one or a new one. */
  boolean isReplacing() {
    return replacing;
  }

  /**
   * Appends a line, which counts from {@link #accept} on.
   *
   * @param durable whether it is to be on the disk afterwards, with all before it
   */
  void append(byte[] line, boolean durable) throws IOException {
    FileChannel open = opened();
    disk.append(open, line);
    if (durable) {
      disk.sync(open);
    }
  }

  /** The line that was appended last is to stay. */
  void accept(byte[] line, boolean durable) {
    pending.writeBytes(line);
    if (durable) {
      synced = length();
      pending.reset();
    }
  }

  private FileChannel opened() throws IOException {
    FileChannel open = channel;
    if (open == null || !open.isOpen()) {
      open = disk.open(FILE);
      channel = open;
    }
    return open;
  }

  /**
   * Brings the file back to what it is to hold, whatever failed. After a failed sync the kernel may
   * have dropped what it was about, so the lines since the last one are written again.
   */
  void mend() throws IOException {
    FileChannel open = opened(); // which may work where a new one could not be had any more
    disk.truncate(open, synced);
    disk.append(open, pending.toByteArray());
    disk.sync(open);
    synced = length();
    pending.reset();
  }

  /** A new file is about to be put in place. */
  void replacing() throws IOException {
    close();
    replacing = true;
  }

  /** Whether the file is still the one that was written to. */
  boolean isInPlace() {
    return key == null || key.equals(Disk.key(disk.path(FILE)));
  }

  /** The file is gone, or another has its place: the next one is written as a whole. */
  void lost() {
    replacing = true;
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // What was not written to a file that is gone is written anew.
        return;
      }
    }
  }

  /** A new file is in place and on the disk: the next line goes there. */
  void replaced(long length) {
    replacing = false;
    key = Disk.key(disk.path(FILE));
    synced = length;
    pending.reset();
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
