package dev.berth.agent;

import java.util.List;
import java.util.Random;

/** Pods that somebody might write who means no good, or cannot type. */
final class Mutations {
  private static final List<String> WORDS =
      List.of(
          "..",
          "/",
          "../../etc/passwd",
          "-1",
          "999999999999999999999",
          "1e309",
          "0.0000000001",
          "0x7f",
          "~",
          "null",
          "[]",
          "{}",
          "!!int x",
          "&a *a",
          "\"",
          "'",
          "|",
          "\u0000",
          "\u2028",
          "cpu",
          "1Ei",
          "9223372036854775807",
          "Infinity",
          "%s",
          "$(reboot)",
          "`reboot`",
          "a: b: c",
          "---",
          "\t",
          "-");

  private static final List<PodKind> KINDS = List.of(PodKind.values());

  private Mutations() {}

  static String of(Random random, int number) {
    PodKind kind = KINDS.get(random.nextInt(KINDS.size()));
    StringBuilder text = new StringBuilder(kind.yaml("pod-" + number % 500));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, WORDS.get(random.nextInt(WORDS.size())));
        case 2 -> text.replace(at, end, WORDS.get(random.nextInt(WORDS.size())));
        default -> text.insert(at, text.substring(at, end).repeat(1 + random.nextInt(50)));
      }
    }
    return text.toString();
  }
}
