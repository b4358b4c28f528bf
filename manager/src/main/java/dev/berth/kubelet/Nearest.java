package dev.berth.kubelet;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the word that was meant, by the number of letters to change; two in the wrong order count
 * as one.
 */
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
    int[][] least = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        least[i][j] = i == 0 || j == 0 ? i + j : step(least, left, right, i, j);
      }
    }
    return least[left.length()][right.length()];
  }

  private static int step(int[][] least, String left, String right, int i, int j) {
    boolean same = left.charAt(i - 1) == right.charAt(j - 1);
    int changed = least[i - 1][j - 1] + (same ? 0 : 1);
    int best = Math.min(changed, Math.min(least[i - 1][j], least[i][j - 1]) + 1);
    boolean swapped =
        i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1);
    return swapped ? Math.min(best, least[i - 2][j - 2] + 1) : best;
  }
}
