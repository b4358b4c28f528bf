package dev.berth.agent;

import java.util.Locale;

/** Where a pod came from, which decides who may replace it and what is left of it. */
enum Origin {
  /** Somebody sent it; it stays until somebody removes it. */
  APPLY,
  /** It lies in the folder of manifests; it goes with its file. */
  MANIFEST,
  /** Its process is somebody's command; nothing is left of it when that ends. */
  RUN,
  /** Another runtime started it, and removes it. */
  RUNTIME;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Origin ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
