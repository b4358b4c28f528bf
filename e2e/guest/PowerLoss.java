import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What a disk holds after a power cut, if its cache loses what was not flushed.
 *
 * <p>Reads the log of QEMU's blklogwrites, in the format of Linux' dm-log-writes. Everything before
 * the last flush is there. Of what was written after it, each sector of 512 bytes is there or not,
 * by chance and independently of the others: a cache may write back in any order, and a write may be
 * torn. ext4 has its journal's commits and superblock written through the cache (FUA). The log does
 * not tell which writes those are, so they are known by what they begin with.
 *
 * <p>{@code PowerLoss.java EMPTY LOG CUTS}: EMPTY is the image before the first write; each line of
 * CUTS is a length of LOG, a seed and the image to make, in the order of the lengths.
 */
final class PowerLoss {
  private static final long MAGIC = 0x6a736677736872L;
  private static final int SECTOR = 512;
  private static final long FLUSH = 1;
  private static final long DISCARD = 4;

  /** What a block of ext4's journal begins with, and the kinds that are written through. */
  private static final int JOURNAL = 0xc03b3998;

  private static final int COMMIT = 2;
  private static final int SUPERBLOCK = 4;

  /** A write, where it belongs. */
  private record Write(long offset, byte[] bytes) {}

  private final byte[] disk;
  private final FileChannel log;
  private final int unit;
  private final List<Write> cached = new ArrayList<>();
  private long position;
  private int flushes;
  private int lost;

  private PowerLoss(byte[] disk, FileChannel log) throws IOException {
    this.disk = disk;
    this.log = log;
    ByteBuffer head = read(0, 28);
    if (head.getLong() != MAGIC) {
      throw new IOException("log: expected one of blklogwrites, found something else");
    }
    head.getLong();
    head.getLong();
    unit = head.getInt();
    position = unit;
  }

  private ByteBuffer read(long from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining() && log.read(buffer, from + buffer.position()) > 0) {}
    return buffer.flip();
  }

  /** Goes on with the log up to a length; an entry that is not there as a whole is not there. */
  private void until(long length) throws IOException {
    while (position + unit <= length) {
      ByteBuffer entry = read(position, 32);
      long sector = entry.getLong();
      long sectors = entry.getLong();
      long flags = entry.getLong();
      if (sectors == 0 && flags == 0) {
        return;
      }
      boolean data = (flags & DISCARD) == 0;
      long bytes = data ? sectors * unit : 0;
      if (position + unit + bytes > length) {
        return;
      }
      if ((flags & FLUSH) != 0) {
        cached.forEach(this::keep);
        cached.clear();
        flushes++;
      }
      if (bytes > 0) {
        Write write = new Write(sector * unit, read(position + unit, (int) bytes).array());
        if (isWrittenThrough(write.bytes())) {
          keep(write);
        } else {
          cached.add(write);
        }
      }
      position += unit + bytes;
    }
  }

  private static boolean isWrittenThrough(byte[] bytes) {
    ByteBuffer block = ByteBuffer.wrap(bytes);
    if (block.getInt() != JOURNAL) {
      return false;
    }
    int kind = block.getInt();
    return kind == COMMIT || kind == SUPERBLOCK;
  }

  private void keep(Write write) {
    System.arraycopy(write.bytes(), 0, disk, (int) write.offset(), write.bytes().length);
  }

  /** The disk after a cut now. */
  private byte[] cut(long seed) {
    Random random = new Random(seed);
    byte[] after = disk.clone();
    for (Write write : cached) {
      for (int at = 0; at < write.bytes().length; at += SECTOR) {
        if (random.nextBoolean()) {
          System.arraycopy(write.bytes(), at, after, (int) write.offset() + at, SECTOR);
        } else {
          lost++;
        }
      }
    }
    return after;
  }

  /** Zeros take no room. */
  private static void write(Path file, byte[] content) throws IOException {
    Files.deleteIfExists(file);
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(content.length);
      int step = 4096;
      for (int at = 0; at < content.length; at += step) {
        boolean empty = true;
        for (int i = at; i < at + step && empty; i++) {
          empty = content[i] == 0;
        }
        if (!empty) {
          out.seek(at);
          out.write(content, at, step);
        }
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    byte[] disk = Files.readAllBytes(Path.of(arguments[0]));
    try (FileChannel log = FileChannel.open(Path.of(arguments[1]), StandardOpenOption.READ)) {
      PowerLoss loss = new PowerLoss(disk, log);
      for (String line : Files.readAllLines(Path.of(arguments[2]))) {
        String[] words = line.split(" ");
        loss.until(Long.parseLong(words[0]));
        write(Path.of(words[2]), loss.cut(Long.parseLong(words[1])));
      }
      System.out.println(loss.flushes + " flushes, " + loss.lost + " sectors lost");
    }
  }
}
