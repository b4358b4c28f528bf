package dev.berth.cgroup;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's own files. All reads share a buffer, because a pass over all groups reads more than
 * a thousand files; one reads at a time.
 */
final class KernelFiles implements GroupFiles {
  private static final int LEAST_BUFFER = 4_096;

  private byte[] buffer = new byte[LEAST_BUFFER];

  @Override
  public synchronized @Nullable String read(Path file) throws IOException {
    try (FileInputStream in = new FileInputStream(file.toString())) {
      int length = 0;
      int more = in.read(buffer);
      while (more > 0) {
        length += more;
        more = isEnd(more, length) ? 0 : in.read(buffer, length, buffer.length - length);
      }
      return new String(buffer, 0, length, StandardCharsets.ISO_8859_1).strip();
    } catch (FileNotFoundException e) {
      // Thrown for want of permission too; which of both is only told in words of the locale.
      if (Files.exists(file)) {
        throw e;
      }
      return null;
    }
  }

  /** The kernel fills a buffer but for less than a line, so that half of one is all there was. */
  private boolean isEnd(int more, int length) {
    if (length == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * length);
    }
    return length == more && length < LEAST_BUFFER / 2;
  }

  @Override
  public void write(Path file, String value) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
      if (channel.write(bytes) < bytes.limit()) {
        throw new IOException("only a part was written");
      }
    }
  }

  @Override
  public boolean make(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      if (isFolder(folder)) {
        return false;
      }
      throw new IOException("a file of the kernel's has this name", e);
    }
  }

  @Override
  public boolean remove(Path folder) throws IOException {
    return Files.deleteIfExists(folder);
  }

  @Override
  public boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<String> folders(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    if (isChildless(folder)) {
      return names;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, this::isFolder)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    names.sort(null);
    return names;
  }

  /** A folder of the kernel's has two links, and one more from each folder in it. */
  private static boolean isChildless(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:nlink") instanceof Integer links && links == 2;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
