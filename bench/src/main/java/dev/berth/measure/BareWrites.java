package dev.berth.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * What an admission does to the disk and nothing else: a line is appended to a journal and synced,
 * a checkpoint is written beside the old one and synced, put in its place, and the folder synced.
 */
final class BareWrites implements AutoCloseable {
  private final Path folder;
  private final FileChannel journal;
  private byte[] line = new byte[512];
  private byte[] checkpoint = new byte[1_024];

  BareWrites(Path folder) throws IOException {
    this.folder = folder;
    journal =
        FileChannel.open(
            folder.resolve("journal"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** From now on, so much is written. */
  void imitate(int lineBytes, byte[] content) {
    line = new byte[lineBytes];
    checkpoint = content;
  }

  /** Writes once, and tells how long it took. */
  long write() throws IOException {
    long began = System.nanoTime();
    journal.write(ByteBuffer.wrap(line));
    journal.force(false);
    Path fresh = folder.resolve("checkpoint.new");
    try (FileChannel file =
        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(checkpoint));
      file.force(true);
    }
    Files.move(fresh, folder.resolve("checkpoint"), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel open = FileChannel.open(folder, StandardOpenOption.READ)) {
      open.force(true);
    }
    return System.nanoTime() - began;
  }

  @Override
  public void close() throws IOException {
    journal.close();
  }
}
