package dev.berth.hwloc;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.IdSet;
import dev.berth.cpu.InvalidInputException;

/** hwloc's bitmaps: {@code 0x00000001,,0xffff0000}, words of 32 bits, the highest first. */
final class Bitmaps {
  private static final int DIGITS = 8;
  private static final long LOW = 0xffffffffL;

  private Bitmaps() {}

  static CpuSet parse(String what, String text) {
    String[] parts = text.strip().split(",", -1);
    if (parts.length > IdSet.ID_LIMIT / 32) {
      throw wrong(what, text);
    }
    long[] words = new long[(parts.length + 1) / 2];
    for (int i = 0; i < parts.length; i++) {
      String part = parts[parts.length - 1 - i];
      String digits = part.startsWith("0x") ? part.substring(2) : part;
      if (digits.length() > DIGITS || !digits.matches("[0-9a-fA-F]*")) {
        throw wrong(what, text);
      }
      long word = digits.isEmpty() ? 0 : Long.parseLong(digits, 16);
      words[i / 2] |= word << (i % 2 * 32);
    }
    return CpuSet.ofWords(words);
  }

  private static InvalidInputException wrong(String what, String text) {
    String shown = text.length() <= 60 ? text : text.substring(0, 57) + "...";
    return new InvalidInputException(
        "hwloc xml: " + what + ": expected a bitmap such as 0x0000000f, found \"" + shown + '"');
  }

  static String format(IdSet<?> set) {
    if (set.isEmpty()) {
      return "0x0";
    }
    StringBuilder text = new StringBuilder();
    for (int i = set.last() / 32; i >= 0; i--) {
      long word = set.word(i / 2) >>> (i % 2 * 32) & LOW;
      text.append(text.isEmpty() ? "" : ",").append(String.format("0x%08x", word));
    }
    return text.toString();
  }
}
