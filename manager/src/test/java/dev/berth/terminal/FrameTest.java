package dev.berth.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final FrameWriter WRITER = new FrameWriter(true, false);
  private final Frame frame = new Frame(new Size(10, 3));

  @Test
  void cutsWhatIsBeyondItsEdges() {
    frame.put(1, 7, "abcdef", Style.PLAIN);
    frame.put(9, 0, "below", Style.PLAIN);
    frame.put(-1, 0, "above", Style.PLAIN);
    assertThat(frame.lines()).containsExactly("", "       abc", "");
  }

  @Test
  void letsNoNameMoveTheCursorOrTakeTwoColumns() {
    frame.put(0, 0, "a\u001b[2Jb\u009b", Style.PLAIN);
    frame.put(1, 0, "x\n漢y…│", Style.PLAIN);
    assertThat(frame.lines()).containsExactly("a?[2Jb?", "x??y…│", "");
    assertThat(WRITER.page(frame)).doesNotContain("\u001b[2J");
  }

  @Test
  void sendsOnlyLinesThatDiffer() {
    frame.put(0, 0, "same", Style.PLAIN);
    Frame next = new Frame(new Size(10, 3));
    next.put(0, 0, "same", Style.PLAIN);
    assertThat(WRITER.update(Optional.of(frame), next)).isEmpty();
    next.put(2, 0, "new", Style.PLAIN);
    assertThat(WRITER.update(Optional.of(frame), next)).isEqualTo("\u001b[3;1Hnew\u001b[K");
    next.paint(0, Style.PLAIN.reverse());
    assertThat(WRITER.update(Optional.of(frame), next)).contains("\u001b[0;7m").contains("new");
  }

  @Test
  void sendsAllToATerminalOfAnotherSize() {
    frame.put(0, 0, "same", Style.PLAIN);
    Frame next = new Frame(new Size(9, 3));
    next.put(0, 0, "same", Style.PLAIN);
    assertThat(WRITER.update(Optional.of(frame), next))
        .isEqualTo("\u001b[1;1Hsame\u001b[K\u001b[2;1H\u001b[K\u001b[3;1H\u001b[K");
  }

  @Test
  void aFullLineIsNotErasedAtItsEnd() {
    frame.put(0, 0, "0123456789", Style.PLAIN);
    assertThat(WRITER.update(Optional.empty(), frame)).startsWith("\u001b[1;1H0123456789\u001b[2;");
  }

  @Test
  void withoutColoursBoldAndReverseStay() {
    frame.put(0, 0, "x", Style.PLAIN.coloured(13).bold().reverse());
    assertThat(WRITER.update(Optional.empty(), frame)).contains("\u001b[0;1;7;32mx\u001b[0m");
    assertThat(new FrameWriter(false, false).update(Optional.empty(), frame))
        .contains("\u001b[0;1;7mx\u001b[0m");
    assertThat(new FrameWriter(false, false).page(frame)).isEqualTo("x\n");
    assertThat(Style.PLAIN.coloured(7).dim().sequence(true)).isEqualTo("\u001b[0;2;92m");
  }

  @Test
  void aTerminalOfAsciiGetsAscii() {
    frame.put(0, 0, "▁▄█·│─…↑↓", Style.PLAIN);
    assertThat(new FrameWriter(false, true).page(frame)).isEqualTo(".=#.|-~^v\n");
  }

  @Test
  void refusesASheetWithoutRoomAndAColourThatIsNone() {
    assertThatThrownBy(() -> new Size(0, 24)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> new Style(12, false, false, false, false))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void readsWhatTheSystemSaysOfASize() {
    assertThat(Size.parse("24 80\n")).contains(new Size(80, 24));
    assertThat(Size.parse("0 0\n")).isEmpty();
    assertThat(Size.parse("")).isEmpty();
  }
}
