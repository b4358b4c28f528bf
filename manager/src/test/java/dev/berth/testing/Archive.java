package dev.berth.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Unpacks captured trees: the files and folders of a tar. Links are left out, for no test follows
 * one.
 */
public final class Archive {
  private static final int BLOCK = 512;

  private Archive() {}

  /** Unpacks a {@code .tar.gz} into {@code folder}. */
  public static void unpackGzip(InputStream source, Path folder) throws IOException {
    try (InputStream tar = new BufferedInputStream(new GZIPInputStream(source))) {
      unpack(tar, folder);
    }
  }

  /** Unpacks a {@code .tar.bz2} into {@code folder}, with the system's {@code bzip2}. */
  public static void unpackBzip2(Path archive, Path folder)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bzip2", "-dc", archive.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream tar = new BufferedInputStream(process.getInputStream())) {
      unpack(tar, folder);
      tar.transferTo(OutputStream.nullOutputStream());
    }
    if (process.waitFor() != 0) {
      throw new IOException("bzip2 -dc " + archive + " failed");
    }
  }

  private static void unpack(InputStream tar, Path folder) throws IOException {
    String longName = "";
    for (byte[] header = tar.readNBytes(BLOCK); header.length == BLOCK && header[0] != 0; ) {
      String name = longName.isEmpty() ? prefixed(header) : longName;
      longName = "";
      int size = (int) octal(header, 124, 12);
      byte[] content = content(tar, size);
      Path target = folder.resolve(name).normalize();
      if (!target.startsWith(folder)) {
        throw new IOException("tar entry " + name + " leads out of the folder");
      }
      switch (header[156]) {
        case 'L' -> longName = string(content, 0, size);
        case '5' -> Files.createDirectories(target);
        case '0', 0 -> {
          Files.createDirectories(target.getParent());
          Files.write(target, content);
        }
        default -> {}
      }
      header = tar.readNBytes(BLOCK);
    }
  }

  private static byte[] content(InputStream tar, int size) throws IOException {
    byte[] content = tar.readNBytes(size);
    if (content.length < size) {
      throw new EOFException("tar ends inside a file");
    }
    tar.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    return content;
  }

  private static String prefixed(byte[] header) {
    String name = string(header, 0, 100);
    boolean isPosix = string(header, 257, 6).equals("ustar");
    String prefix = isPosix ? string(header, 345, 155) : "";
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static long octal(byte[] header, int from, int length) {
    String digits = string(header, from, length).strip();
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }

  private static String string(byte[] bytes, int from, int length) {
    int end = from;
    while (end < from + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, StandardCharsets.UTF_8);
  }
}
