package dev.berth.terminal;

import dev.berth.terminal.Key.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Makes keys of the bytes that a terminal sends. */
public final class Keys {
  /** A terminal sends all of a key at once; a person needs longer after Escape. */
  private static final long PAUSE_MILLISECONDS = 40;

  private static final int ESCAPE = 0x1b;
  private static final int LONGEST_SEQUENCE = 16;

  private final InputStream in;

  /** Of a terminal that sends each key at once. */
  public Keys(InputStream in) {
    this.in = in;
  }

  /** The next key, once it is pressed. */
  public Key next() {
    try {
      int octet = in.read();
      return switch (octet) {
        case -1 -> Key.of(Kind.GONE);
        case '\r', '\n' -> Key.of(Kind.ENTER);
        case 0x7f, '\b' -> Key.of(Kind.BACKSPACE);
        case ESCAPE -> afterEscape();
        default -> character(octet);
      };
    } catch (IOException e) {
      return Key.of(Kind.GONE);
    }
  }

  private Key character(int first) throws IOException {
    if (first < ' ') {
      return Key.of(Kind.OTHER);
    }
    int more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    byte[] bytes = new byte[more + 1];
    bytes[0] = (byte) first;
    if (in.readNBytes(bytes, 1, more) < more) {
      return Key.of(Kind.GONE);
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.length() == 1 ? Key.of(text.charAt(0)) : Key.of(Kind.OTHER);
  }

  private Key afterEscape() throws IOException {
    if (!isMoreComing()) {
      return Key.of(Kind.ESCAPE);
    }
    int kind = in.read();
    if (kind != '[' && kind != 'O') {
      return Key.of(Kind.OTHER);
    }
    StringBuilder sequence = new StringBuilder();
    int octet = in.read();
    // Numbers and semicolons up to one letter or tilde.
    while (octet >= 0 && octet < '@' && sequence.length() < LONGEST_SEQUENCE) {
      sequence.append((char) octet);
      octet = in.read();
    }
    return Key.of(kind(sequence.append((char) octet).toString()));
  }

  private boolean isMoreComing() throws IOException {
    if (in.available() > 0) {
      return true;
    }
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return in.available() > 0;
  }

  private static Kind kind(String sequence) {
    return switch (sequence) {
      case "A" -> Kind.UP;
      case "B" -> Kind.DOWN;
      case "H", "1~", "7~" -> Kind.HOME;
      case "F", "4~", "8~" -> Kind.END;
      case "5~" -> Kind.PAGE_UP;
      case "6~" -> Kind.PAGE_DOWN;
      default -> Kind.OTHER;
    };
  }
}
