package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.IdSet;
import org.jspecify.annotations.Nullable;

/** Hexadecimal CPU masks: words of 32 bits with commas between them, the highest first. */
final class Masks {
  private static final int WORD_BITS = 32;
  private static final int WORD_DIGITS = 8;

  private Masks() {}

  /** The set, or null where the text is no mask. */
  static @Nullable CpuSet parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length > IdSet.ID_LIMIT / WORD_BITS) {
      return null;
    }
    long[] words = new long[(parts.length + 1) / 2];
    for (int i = 0; i < parts.length; i++) {
      String part = parts[parts.length - 1 - i];
      if (part.isEmpty() || part.length() > WORD_DIGITS) {
        return null;
      }
      for (int at = 0; at < part.length(); at++) {
        int digit = Character.digit(part.charAt(at), 16);
        if (digit < 0) {
          return null;
        }
        int shift = (i % 2) * WORD_BITS + (part.length() - 1 - at) * 4;
        words[i / 2] |= (long) digit << shift;
      }
    }
    return CpuSet.ofWords(words);
  }
}
