package dev.berth.protocols;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Reads what others send within bounds. Two bytes on the wire may be an object of a hundred in
 * memory, so a message that is small enough may still be too much: its parts are counted before any
 * of them is made. Fields that we do not know are dropped, for they would be kept otherwise.
 */
public final class Bounded {
  /** How many parts a message may have: some ten thousand containers, with all that is theirs. */
  public static final int MOST_PARTS = 100_000;

  private Bounded() {}

  /**
   * Reads a message.
   *
   * @param <T> what it is
   * @param parser of that
   * @param type what it consists of
   * @throws InvalidProtocolBufferException where it is none, or has too many parts
   */
  public static <T extends Message> T parse(Parser<T> parser, Descriptor type, ByteString bytes)
      throws InvalidProtocolBufferException {
    check(type, bytes);
    return DiscardUnknownFieldsParser.wrap(parser).parseFrom(bytes);
  }

  /**
   * Looks at a message before it is read.
   *
   * @param type what it consists of
   * @throws InvalidProtocolBufferException where it has too many parts
   */
  public static void check(Descriptor type, ByteString bytes)
      throws InvalidProtocolBufferException {
    // Each has two bytes at least, so most messages need not be looked at.
    if (bytes.size() < 2 * MOST_PARTS) {
      return;
    }
    try {
      count(bytes.newCodedInput(), type, MOST_PARTS);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidProtocolBufferException(e);
    }
  }

  /** Passes over a message; how many parts may still come after it. */
  private static int count(CodedInputStream in, Descriptor type, int most) throws IOException {
    int left = most;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      boolean message = field != null && field.getJavaType() == JavaType.MESSAGE;
      if (message || (field != null && field.isRepeated())) {
        left--;
      }
      if (left < 0) {
        throw new InvalidProtocolBufferException("more than " + MOST_PARTS + " parts");
      }
      if (message && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        int outer = in.pushLimit(in.readRawVarint32());
        left = count(in, field.getMessageType(), left);
        in.popLimit(outer);
      } else if (!in.skipField(tag)) {
        return left;
      }
    }
    return left;
  }
}
