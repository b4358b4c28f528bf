package dev.berth.bench;

import dev.berth.cpu.CpuSet;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Many sets of CPUs in a word, so that two programs can be seen to have given out the same ones in
 * the same order: the first twelve digits of the SHA-256 of them as lists, each ended by a newline.
 */
final class Digest {
  private static final int BYTES = 6;

  private Digest() {}

  static String of(List<CpuSet> sets) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (CpuSet set : sets) {
        digest.update((set + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
