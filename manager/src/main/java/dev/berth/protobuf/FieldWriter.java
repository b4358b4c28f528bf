package dev.berth.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a message as it stands on the wire, field by field, for those that somebody waits for (see
 * {@link Fields}). What a field may be, whoever calls knows.
 */
public final class FieldWriter {
  private static final int USUAL = 64;

  private byte[] bytes = new byte[USUAL];
  private int size;

  /** Adds a number; 0 is not told from nothing, and left out. */
  public FieldWriter number(int field, long value) {
    if (value != 0) {
      varint((long) field << 3 | Fields.NUMBER);
      varint(value);
    }
    return this;
  }

  /** Adds a text; an empty one is left out. */
  public FieldWriter text(int field, String value) {
    if (!value.isEmpty()) {
      add(field, value.getBytes(StandardCharsets.UTF_8));
    }
    return this;
  }

  /** Adds a message, though it be empty. */
  public FieldWriter message(int field, FieldWriter value) {
    return bytes(field, value.bytes, value.size);
  }

  /** Adds bytes, or a message that is written already, though there be none. */
  public FieldWriter add(int field, byte[] value) {
    return bytes(field, value, value.length);
  }

  /** Adds all fields of another message. */
  public FieldWriter append(FieldWriter fields) {
    copy(fields.bytes, fields.size);
    return this;
  }

  private FieldWriter bytes(int field, byte[] value, int length) {
    varint((long) field << 3 | Fields.BYTES);
    varint(length);
    copy(value, length);
    return this;
  }

  private void copy(byte[] value, int length) {
    reserve(length);
    System.arraycopy(value, 0, bytes, size, length);
    size += length;
  }

  private void varint(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  /** All that was written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }
}
