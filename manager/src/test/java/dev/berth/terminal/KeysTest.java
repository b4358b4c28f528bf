package dev.berth.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.terminal.Key.Kind;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
  private static List<Key> keys(String sent) {
    Keys keys = new Keys(new ByteArrayInputStream(sent.getBytes(StandardCharsets.UTF_8)));
    List<Key> read = new ArrayList<>();
    do {
      read.add(keys.next());
    } while (read.getLast().kind() != Kind.GONE);
    return read.subList(0, read.size() - 1);
  }

  @Test
  void charactersAreTyped() {
    assertThat(keys("qé√/")).containsExactly(Key.of('q'), Key.of('é'), Key.of('√'), Key.of('/'));
  }

  @Test
  void arrowsAreKnownFromEveryKindOfTerminal() {
    assertThat(keys("\u001b[A\u001b[B\u001bOA\u001bOB\u001b[5~\u001b[6~\u001b[H\u001b[4~"))
        .extracting(Key::kind)
        .containsExactly(
            Kind.UP,
            Kind.DOWN,
            Kind.UP,
            Kind.DOWN,
            Kind.PAGE_UP,
            Kind.PAGE_DOWN,
            Kind.HOME,
            Kind.END);
  }

  @Test
  void anUnknownSequenceIsOneKeyThatMeansNothing() {
    assertThat(keys("\u001b[1;5Cj")).containsExactly(Key.of(Kind.OTHER), Key.of('j'));
    assertThat(keys("\u001b[99999999999999999999999999999x")).first().isEqualTo(Key.of(Kind.OTHER));
    assertThat(keys("\u0001😀")).containsExactly(Key.of(Kind.OTHER), Key.of(Kind.OTHER));
  }

  @Test
  void escapeAloneIsAKey() {
    assertThat(keys("\u001b")).containsExactly(Key.of(Kind.ESCAPE));
  }

  @Test
  void enterAndBackspaceAreKeys() {
    assertThat(keys("\r\n\b\u007f"))
        .extracting(Key::kind)
        .containsExactly(Kind.ENTER, Kind.ENTER, Kind.BACKSPACE, Kind.BACKSPACE);
  }

  @Test
  void halfACharacterIsTheEnd() {
    Keys keys = new Keys(new ByteArrayInputStream(new byte[] {(byte) 0xe2, (byte) 0x80}));
    assertThat(keys.next()).isEqualTo(Key.of(Kind.GONE));
  }
}
