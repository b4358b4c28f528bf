package dev.berth.agent.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The journal's file, open at its end. */
final class Journal implements AutoCloseable {
  static final String FILE = "berth_state";

  private final Disk disk;
  private @Nullable FileChannel channel;
  private long length;

  Journal(Disk disk) {
    this.disk = disk;
  }

  long length() {
    return length;
  }

  /**
   * Appends a line.
   *
   * @param durable whether it is to be on the disk afterwards
   */
  void append(byte[] line, boolean durable) throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = disk.open(FILE);
      channel = open;
    }
    disk.append(open, line);
    if (durable) {
      disk.sync(open);
    }
    length += line.length;
  }

  /** Takes away whatever stands behind this length. */
  void cutTo(long end) throws IOException {
    FileChannel open = channel;
    if (open != null && open.isOpen()) {
      disk.truncate(open, end);
    }
    length = end;
  }

  /** A new file is in place: the next line goes there. */
  void replaced(long newLength) throws IOException {
    close();
    length = newLength;
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
