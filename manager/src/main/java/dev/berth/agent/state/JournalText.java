package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The journal's text: a line each, its CRC-32C in hexadecimal, a blank, the JSON that it is of.
 *
 * @param entries the lines that can be trusted, in order
 * @param damage a line for each that cannot, with its number
 * @param torn whether bytes stand behind the last line: it was being written and took no effect
 */
record JournalText(List<Entry> entries, List<String> damage, boolean torn) {
  /** The newest version of the format that is understood. */
  static final int VERSION = 1;

  private static final int CHECKSUM_DIGITS = 8;

  static byte[] write(Entry entry) {
    byte[] json = EntryJson.write(entry);
    byte[] checksum = (checksum(json) + " ").getBytes(StandardCharsets.US_ASCII);
    byte[] line = Arrays.copyOf(checksum, checksum.length + json.length + 1);
    System.arraycopy(json, 0, line, checksum.length, json.length);
    line[line.length - 1] = '\n';
    return line;
  }

  static byte[] write(List<Entry> entries) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    entries.forEach(entry -> all.writeBytes(write(entry)));
    return all.toByteArray();
  }

  private static String checksum(byte[] json) {
    CRC32C crc = new CRC32C();
    crc.update(json);
    return HexFormat.of().toHexDigits(crc.getValue(), CHECKSUM_DIGITS);
  }

  /**
   * Reads a journal.
   *
   * @param source what it is called in an error
   * @throws InvalidInputException where it is of a newer version, and for nothing else
   */
  static JournalText read(String source, byte[] bytes) {
    List<Entry> entries = new ArrayList<>();
    List<String> damage = new ArrayList<>();
    int number = 0;
    int from = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        number++;
        try {
          String json = json(bytes, from, at);
          if (number == 1) {
            refuseNewer(source, json);
          }
          entries.add(entry(json, number));
        } catch (DamageException e) {
          damage.add("line " + number + ": " + e.getMessage());
        }
        from = at + 1;
      }
    }
    if (number == 0) {
      damage.add("line 1: expected a first line, found none");
    }
    return new JournalText(entries, damage, from < bytes.length);
  }

  /** A line that cannot be trusted. */
  private static final class DamageException extends Exception {
    private static final long serialVersionUID = 1L;

    DamageException(String message) {
      super(message);
    }
  }

  private static String json(byte[] bytes, int from, int to) throws DamageException {
    int start = from + CHECKSUM_DIGITS + 1;
    if (to < start || bytes[start - 1] != ' ') {
      throw new DamageException("expected a checksum and a blank, found something else");
    }
    String found = new String(bytes, from, CHECKSUM_DIGITS, StandardCharsets.ISO_8859_1);
    byte[] json = Arrays.copyOfRange(bytes, start, to);
    String expected = checksum(json);
    if (!found.equals(expected)) {
      throw new DamageException("expected checksum " + expected + ", found another");
    }
    return new String(json, StandardCharsets.UTF_8);
  }

  private static void refuseNewer(String source, String json) {
    EntryJson.version(json)
        .filter(version -> version > VERSION)
        .ifPresent(version -> {
          throw new InvalidInputException(
              source
                  + ": expected a journal of version "
                  + VERSION
                  + ", found one of "
                  + version
                  + ": a newer Berth wrote it, and nothing was touched");
        });
  }

  private static Entry entry(String json, int number) throws DamageException {
    Entry entry;
    try {
      entry = EntryJson.read(json);
    } catch (InvalidInputException e) {
      throw new DamageException(e.line());
    }
    if (entry instanceof Entry.Header != (number == 1)) {
      throw new DamageException(
          number == 1
              ? "expected the journal's header, found another line"
              : "expected no second header, found one");
    }
    return entry;
  }
}
