package dev.berth.topology;

import dev.berth.cpu.InvalidInputException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Machines by name, each from public facts: those that Kubernetes' proposals were tested on, and a
 * few that are hard in their own way.
 *
 * <p>CPUs are numbered as Linux numbers them on the real machine. Memory differs from one box to
 * the next; here it is 4 GiB a core, except for grace-blackwell, whose memory is soldered.
 */
public final class Machines {
  private static final int NEAR = 3;

  private Machines() {}

  /** All known machines, in an order that reads well: by maker, small to large. */
  public static List<KnownMachine> all() {
    return Catalogue.MACHINES;
  }

  /**
   * The machine of that name.
   *
   * @throws InvalidInputException with the nearest names, where there is none of that name
   */
  public static Machine named(String name) {
    for (KnownMachine known : all()) {
      if (known.name().equals(name)) {
        return known.machine();
      }
    }
    throw new InvalidInputException(
        "machine \""
            + name
            + "\": expected a built-in machine, the nearest are "
            + String.join(", ", nearest(name))
            + "; found no such name");
  }

  /**
   * The machine that {@code text} names or describes: a built-in name, or a spec for {@link
   * Synthetic}.
   *
   * <p>A text with a colon, a blank or a leading digit is a spec, since no name has any.
   *
   * @throws InvalidInputException where it is neither
   */
  public static Machine parse(String text) {
    String stripped = text.strip();
    boolean isSpec =
        stripped.indexOf(':') >= 0
            || stripped.indexOf(' ') >= 0
            || stripped.startsWith("[")
            || (!stripped.isEmpty() && Character.isDigit(stripped.charAt(0)));
    return isSpec ? Synthetic.parse(stripped) : named(stripped);
  }

  /**
   * The names that are most like {@code name}, those with it inside first; ties in the order of
   * {@link #all}.
   */
  static List<String> nearest(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return all().stream()
        .map(KnownMachine::name)
        .sorted(
            Comparator.comparingInt(known -> known.contains(lower) ? 0 : distance(lower, known)))
        .limit(NEAR)
        .toList();
  }

  /**
   * How many letters must change to get from one word to the other; half as much for those that
   * only continue it, so that {@code epyc} is near every EPYC.
   */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 1; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = 2 * i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 2);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j] + 2, row[j - 1] + 1));
      }
    }
    return row[to.length()];
  }
}
