package dev.berth.terminal;

import dev.berth.cpu.InvalidInputException;

/**
 * How a character looks. What must be seen without colours is never told by a colour alone.
 *
 * @param colour one of {@value #COLOURS}, or {@link #NO_COLOUR}
 * @param isBold brighter, or thicker
 * @param isReverse ink and paper swapped
 * @param isDim less than the others
 * @param isUnderlined with a line below
 */
public record Style(
    int colour, boolean isBold, boolean isReverse, boolean isDim, boolean isUnderlined) {
  /** The ink that the terminal has. */
  public static final int NO_COLOUR = -1;

  /** How many colours can be told apart on any terminal: the six of the old ones, and bright. */
  public static final int COLOURS = 12;

  /** Nothing of all that. */
  public static final Style PLAIN = new Style(NO_COLOUR, false, false, false, false);

  private static final int FIRST_INK = 31;
  private static final int FIRST_BRIGHT_INK = 91;

  /** Refuses a colour that does not exist. */
  public Style {
    if (colour < NO_COLOUR || colour >= COLOURS) {
      throw new InvalidInputException(
          "colour: expected less than " + COLOURS + ", found " + colour);
    }
  }

  /** In a colour; after the last one they come again. */
  public Style coloured(int number) {
    return new Style(Math.floorMod(number, COLOURS), isBold, isReverse, isDim, isUnderlined);
  }

  /** Brighter. */
  public Style bold() {
    return new Style(colour, true, isReverse, isDim, isUnderlined);
  }

  /** Ink and paper swapped. */
  public Style reverse() {
    return new Style(colour, isBold, true, isDim, isUnderlined);
  }

  /** Less than the others. */
  public Style dim() {
    return new Style(colour, isBold, isReverse, true, isUnderlined);
  }

  /** With a line below. */
  public Style underlined() {
    return new Style(colour, isBold, isReverse, isDim, true);
  }

  /** What switches a terminal to it, whatever it had before. */
  String sequence(boolean colours) {
    StringBuilder codes = new StringBuilder("\u001b[0");
    codes.append(isBold ? ";1" : "").append(isDim ? ";2" : "").append(isReverse ? ";7" : "");
    codes.append(isUnderlined ? ";4" : "");
    if (colours && colour != NO_COLOUR) {
      int half = COLOURS / 2;
      codes
          .append(';')
          .append(colour < half ? FIRST_INK + colour : FIRST_BRIGHT_INK + colour - half);
    }
    return codes.append('m').toString();
  }
}
