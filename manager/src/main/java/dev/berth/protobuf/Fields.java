package dev.berth.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Goes through the fields of a message as they stand on the wire, and makes nothing of those that
 * nobody asks about.
 *
 * <p>For the few messages that somebody waits for. Generated code makes an object and a builder of
 * every part; it is much code, of which nothing is in the processor's caches when a message comes
 * once in a while.
 *
 * {@snippet :
 * for (Fields fields = Fields.of(bytes); fields.next(); ) {
 *   switch (fields.key()) {
 *     case 1 << 3 | Fields.BYTES -> name = fields.text();
 *     default -> {}
 *   }
 * }
 * }
 */
public final class Fields {
  /** The low bits of the key of a number. */
  public static final int NUMBER = 0;

  /** The low bits of the key of a text, bytes or a message. */
  public static final int BYTES = 2;

  private static final int LONG = 1;
  private static final int SHORT = 5;
  private static final int TYPE_BITS = 7;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int key;
  private long number;
  private int from;

  private Fields(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Before the first field of a message. */
  public static Fields of(byte[] bytes) {
    return new Fields(bytes, 0, bytes.length);
  }

  /**
   * Goes to the next field.
   *
   * @return false where there is none
   * @throws InvalidProtocolBufferException where something else than a field stands there
   */
  public boolean next() throws InvalidProtocolBufferException {
    if (at == end) {
      return false;
    }
    long read = varint();
    if (read >>> 3 == 0 || read >>> 32 != 0) {
      throw new InvalidProtocolBufferException("a field without a number");
    }
    key = (int) read;
    switch (key & TYPE_BITS) {
      case NUMBER -> number = varint();
      case LONG -> pass(Long.BYTES);
      case BYTES -> pass(varint());
      case SHORT -> pass(Integer.BYTES);
      default -> throw new InvalidProtocolBufferException("a field of an unknown type");
    }
    return true;
  }

  private void pass(long length) throws InvalidProtocolBufferException {
    if (length < 0 || length > end - at) {
      throw new InvalidProtocolBufferException("a field that is longer than its message");
    }
    from = at;
    at += (int) length;
  }

  private long varint() throws InvalidProtocolBufferException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && at < end; shift += 7) {
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new InvalidProtocolBufferException("a number without an end");
  }

  /** The number of the field, shifted by three, and the kind of its value. */
  public int key() {
    return key;
  }

  /** Its value, where that is a number. */
  public long number() {
    return number;
  }

  /**
   * Its value as a text.
   *
   * @throws InvalidProtocolBufferException where it is none
   */
  public String text() throws InvalidProtocolBufferException {
    String text = new String(bytes, from, at - from, StandardCharsets.UTF_8);
    // What stands for bytes that are no text, unless it was sent.
    if (text.indexOf('\uFFFD') >= 0 && !is(text.getBytes(StandardCharsets.UTF_8))) {
      throw new InvalidProtocolBufferException("a text that is not UTF-8");
    }
    return text;
  }

  /** Whether its value is this text, without making it. */
  public boolean is(byte[] text) {
    return Arrays.equals(bytes, from, at, text, 0, text.length);
  }

  /** A copy of its value. */
  public byte[] bytes() {
    return Arrays.copyOfRange(bytes, from, at);
  }

  /** Before the first field of its value. */
  public Fields message() {
    return new Fields(bytes, from, at);
  }
}
