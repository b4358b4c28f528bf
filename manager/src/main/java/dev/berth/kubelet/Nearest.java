package dev.berth.kubelet;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was meant, by the number of letters to change (Levenshtein). */
public final class Nearest {
  /** Beyond this it is another word. */
  private static final int FARTHEST = 3;

  private Nearest() {}

  /** The nearest of the known words; of several as near, the first in their order. */
  public static Optional<String> to(String word, Collection<String> known) {
    Optional<String> nearest = Optional.empty();
    int least = FARTHEST + 1;
    for (String candidate : known) {
      int limit = Math.min(FARTHEST, candidate.length() / 3);
      int distance = distance(word, candidate);
      if (distance <= limit && distance < least) {
        nearest = Optional.of(candidate);
        least = distance;
      }
    }
    return nearest;
  }

  /** Letters to change; case does not count. More than enough where the lengths say it all. */
  static int distance(String one, String other) {
    if (Math.abs(one.length() - other.length()) > FARTHEST) {
      return FARTHEST + 1;
    }
    String left = one.toLowerCase(Locale.ROOT);
    String right = other.toLowerCase(Locale.ROOT);
    int[] row = new int[right.length() + 1];
    for (int i = 0; i < row.length; i++) {
      row[i] = i;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int swap = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(swap, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
