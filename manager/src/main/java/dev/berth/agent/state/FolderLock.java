package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps a state folder to one process; the kernel lets go of it when the process ends. */
final class FolderLock implements AutoCloseable {
  static final String FILE = "lock";

  private static final int PID_BYTES = 20;

  /**
   * The folders that this process has. A second channel to a locked file must not even be opened
   * here: closing it would let go of the lock.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;
  private final @Nullable Object key;

  private FolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
    key = Disk.key(folder.resolve(FILE));
  }

  /** Whether the folder still has the file that is locked. */
  boolean isInPlace() {
    return channel.isOpen() && key != null && key.equals(Disk.key(folder.resolve(FILE)));
  }

  /**
   * Takes the lock.
   *
   * @throws InvalidInputException naming the process that has it
   * @throws IOException where the folder cannot be written to
   */
  static FolderLock take(Path folder) throws IOException {
    Path real = folder.toRealPath();
    if (!HERE.add(real)) {
      throw inUse(folder, String.valueOf(ProcessHandle.current().pid()));
    }
    try {
      return new FolderLock(real, lock(folder));
    } catch (IOException | RuntimeException e) {
      HERE.remove(real);
      throw e;
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(FILE),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE);
    try {
      @Nullable FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, holder(channel));
      }
      String pid = ProcessHandle.current().pid() + "\n";
      // Over what is there: a full disk has room for that.
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
      channel.truncate(pid.length());
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(PID_BYTES);
    channel.read(buffer, 0);
    String pid =
        new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII).strip();
    return pid.matches("[0-9]+") ? pid : "another";
  }

  private static InvalidInputException inUse(Path folder, String pid) {
    return new InvalidInputException(
        "state folder "
            + folder
            + ": expected nobody else in it, found it in use by process "
            + pid);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HERE.remove(folder);
    }
  }
}
