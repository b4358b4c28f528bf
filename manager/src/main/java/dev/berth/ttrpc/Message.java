package dev.berth.ttrpc;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One message of ttRPC, as it stands on the wire. */
final class Message {
  /** Bytes before the content: length, stream, type, flags. */
  static final int HEADER = 10;

  /** Bytes that the content may have. */
  static final int LARGEST = 4 << 20;

  static final byte REQUEST = 1;
  static final byte RESPONSE = 2;

  private final int stream;
  private final byte type;
  private final byte[] content;

  Message(int stream, byte type, byte[] content) {
    this.stream = stream;
    this.type = type;
    this.content = content;
  }

  int stream() {
    return stream;
  }

  byte type() {
    return type;
  }

  byte[] content() {
    return content;
  }

  /**
   * How much follows a header.
   *
   * @throws IOException where it is too much
   */
  static int length(ByteBuffer header) throws IOException {
    int length = header.getInt();
    if (length < 0 || length > LARGEST) {
      throw new IOException(
          "message: expected at most "
              + LARGEST
              + " bytes, found "
              + Integer.toUnsignedString(length));
    }
    return length;
  }

  static Message of(ByteBuffer header, byte[] content) {
    header.getInt();
    return new Message(header.getInt(), header.get(), content);
  }

  byte[] bytes() {
    return ByteBuffer.allocate(HEADER + content.length)
        .putInt(content.length)
        .putInt(stream)
        .put(type)
        .put((byte) 0)
        .put(content)
        .array();
  }
}
