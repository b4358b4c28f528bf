package dev.berth.agent.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file operations of a state folder, one by one, so that each of them can be seen to fail.
 *
 * <p>Not safe for several threads; a thread that is interrupted loses its channel and with it the
 * operation, as {@link FileChannel} has it.
 */
class Disk {
  static final String NEW = ".new";

  private final Path folder;
  private final boolean durable;

  Disk(Path folder) {
    this(folder, true);
  }

  /**
   * A folder's files.
   *
   * @param durable whether what is written must outlive the machine's own end, not only ours
   */
  Disk(Path folder, boolean durable) {
    this.folder = folder;
    this.durable = durable;
  }

  final Path path(String name) {
    return folder.resolve(name);
  }

  /** By what the file system tells a file from every other; null where there is none. */
  static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /** Opens a file to append to. */
  FileChannel open(String name) throws IOException {
    FileChannel channel = FileChannel.open(path(name), StandardOpenOption.WRITE);
    channel.position(channel.size());
    return channel;
  }

  void append(FileChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** Has what was appended reach the disk: fdatasync. */
  void sync(FileChannel channel) throws IOException {
    if (durable) {
      channel.force(false);
    }
  }

  void truncate(FileChannel channel, long length) throws IOException {
    channel.truncate(length);
  }

  /** Writes NAME.new and has it reach the disk: fsync. */
  void create(String name, byte[] content) throws IOException {
    Path file = path(name + NEW);
    Files.deleteIfExists(file);
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      append(channel, content);
      if (durable) {
        channel.force(true);
      }
    } catch (IOException e) {
      Files.deleteIfExists(file); // what it took is needed elsewhere, where the disk is full
      throw e;
    }
  }

  /** Puts NAME.new in the place of NAME. */
  void install(String name) throws IOException {
    Files.move(path(name + NEW), path(name), StandardCopyOption.ATOMIC_MOVE);
  }

  void delete(String name) throws IOException {
    Files.deleteIfExists(path(name));
  }

  /** Has what was renamed and deleted reach the disk: fsync of the folder. */
  void syncFolder() throws IOException {
    if (!durable) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
