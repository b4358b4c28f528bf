package dev.berth.cgroup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file of the kernel's that stays open between reads, as finding it by its path costs five times
 * as much as reading it.
 *
 * <p>The kernel makes the text anew for each read from the beginning. It refuses to read a file of
 * a group that was removed, so that one that vanished, or was made anew under the same name, is
 * never taken for the old one.
 */
final class KernelFile implements GroupFiles.Kept {
  private final KernelFiles files;
  private final Path path;
  private @Nullable RandomAccessFile open;
  private byte[] bytes = {};
  private String text = "";

  KernelFile(KernelFiles files, Path path) {
    this.files = files;
    this.path = path;
  }

  @Override
  public @Nullable String read() throws IOException {
    if (open != null) {
      try {
        open.seek(0);
        return text(open);
      } catch (IOException e) {
        // By its path it is gone, or another one, or cannot be read for a reason that comes again.
        close();
      }
    }
    if (!files.mayKeep()) {
      return files.read(path);
    }
    return opened();
  }

  private @Nullable String opened() throws IOException {
    RandomAccessFile file;
    try {
      file = new RandomAccessFile(path.toString(), "r");
    } catch (FileNotFoundException e) {
      return files.absent(path, e);
    }
    open = file;
    files.kept(1);
    try {
      return text(file);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** As a rule it is what it was. */
  private String text(RandomAccessFile file) throws IOException {
    byte[] now = files.bytes(file::read, bytes);
    if (!Arrays.equals(now, bytes)) {
      bytes = now;
      text = KernelFiles.text(now);
    }
    return text;
  }

  @Override
  public void close() {
    RandomAccessFile file = open;
    open = null;
    if (file != null) {
      files.kept(-1);
      try {
        file.close();
      } catch (IOException e) {
        // The descriptor is free at any rate, and nothing was written to it.
        return;
      }
    }
  }
}
