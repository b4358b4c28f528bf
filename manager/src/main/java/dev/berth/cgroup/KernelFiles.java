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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's own files. All reads share a buffer, because a pass over all groups reads more than
 * a thousand files; one reads at a time. As many of these stay open between passes as the process
 * can spare descriptors for.
 */
final class KernelFiles implements GroupFiles {
  /** The links of a folder in which there is no other. */
  private static final int CHILDLESS = 2;

  /** What the kernel calls its files in a group: {@code cpuset.cpus}, {@code tasks}. */
  private static final Pattern KERNELS_OWN =
      Pattern.compile(
          "(cgroup|cpu|cpuacct|cpuset|memory|hugetlb|io|pids|misc|rdma|irq)\\..*"
              + "|tasks|notify_on_release|release_agent");

  private static final int LEAST_BUFFER = 4_096;

  /** Descriptors that are kept at most, however many a process may have: enough for 500 groups. */
  private static final int MOST_KEPT = 4_096;

  /** What goes on reading where the last read ended. */
  @FunctionalInterface
  interface Source {
    int read(byte[] buffer, int from, int length) throws IOException;
  }

  private final int mostKept;
  private byte[] buffer = new byte[LEAST_BUFFER];
  private int kept;

  KernelFiles() {
    // The rest is for sockets, logs and the containers that are being started.
    this((int) Math.min(MOST_KEPT, Descriptors.limit() / 4));
  }

  /**
   * The kernel's files.
   *
   * @param mostKept how many stay open between reads at most
   */
  KernelFiles(int mostKept) {
    this.mostKept = mostKept;
  }

  @Override
  public @Nullable String read(Path file) throws IOException {
    try (FileInputStream in = new FileInputStream(file.toString())) {
      return text(bytes(in::read, new byte[0]));
    } catch (FileNotFoundException e) {
      return absent(file, e);
    }
  }

  @Override
  public Kept keep(Path file) {
    return new KernelFile(this, file);
  }

  synchronized boolean mayKeep() {
    return kept < mostKept;
  }

  synchronized void kept(int more) {
    kept += more;
  }

  /** Null where a file that could not be opened is not there. */
  @Nullable String absent(Path file, FileNotFoundException e) throws FileNotFoundException {
    // Thrown for want of permission too; which of both is only told in words of the locale.
    if (Files.exists(file)) {
      throw e;
    }
    return null;
  }

  /** What the kernel means, without white space around it. */
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).strip();
  }

  /** All there is to read; {@code before} itself where that is the same. */
  synchronized byte[] bytes(Source in, byte[] before) throws IOException {
    int length = 0;
    int more = in.read(buffer, 0, buffer.length);
    while (more > 0) {
      length += more;
      more = isEnd(more, length) ? 0 : in.read(buffer, length, buffer.length - length);
    }
    return Arrays.equals(buffer, 0, length, before, 0, before.length)
        ? before
        : Arrays.copyOf(buffer, length);
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
    int links = links(folder);
    if (links == CHILDLESS) {
      return List.of();
    }
    List<Path> likely = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        boolean file = KERNELS_OWN.matcher(String.valueOf(entry.getFileName())).matches();
        (file ? others : likely).add(entry);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    List<String> names = new ArrayList<>(folders(likely));
    // A group may be called like a file of the kernel's; then more are there than were found.
    if (names.size() + CHILDLESS != links) {
      names.addAll(folders(others));
    }
    names.sort(null);
    return names;
  }

  private List<String> folders(List<Path> entries) {
    return entries.stream()
        .filter(this::isFolder)
        .map(entry -> String.valueOf(entry.getFileName()))
        .toList();
  }

  /** A folder of the kernel's has two links, and one more from each folder in it. */
  private static int links(Path folder) {
    try {
      return Files.getAttribute(folder, "unix:nlink") instanceof Integer links ? links : 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return 0;
    }
  }
}
