package dev.berth.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes an archive that {@code tar} reads: plain files, all alike but for name and content, so
 * that the same content makes the same archive.
 */
final class TarWriter implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME_BYTES = 100;

  /** Any fixed moment will do; of the first one of 1970 tar complains. */
  private static final long TIME = 1_000_000_000;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  /** Adds a file. */
  void add(String name, byte[] content) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > NAME_BYTES) {
      // GNU's way for long names: an entry before, whose content is the name.
      write("././@LongLink".getBytes(StandardCharsets.US_ASCII), 'L', zeroEnded(bytes));
    }
    write(bytes, '0', content);
  }

  private static byte[] zeroEnded(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private void write(byte[] name, char type, byte[] content) throws IOException {
    byte[] header = new byte[BLOCK];
    System.arraycopy(name, 0, header, 0, Math.min(name.length, NAME_BYTES));
    put(header, 100, "0000600");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, octal(content.length, 11));
    put(header, 136, octal(TIME, 11));
    put(header, 148, " ".repeat(8));
    header[156] = (byte) type;
    put(header, 257, "ustar  ");
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, octal(sum, 6) + "\0 ");
    out.write(header);
    out.write(content);
    out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private static String octal(long number, int digits) {
    return String.format(Locale.ROOT, "%0" + digits + "o", number);
  }

  /** Ends the archive. */
  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
  }
}
