package dev.berth.demo;

import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process with the one that started it: whoever holds the other end of the standard input
 * has ended, however that came, once it is closed.
 */
final class Leash {
  private Leash() {}

  static void attach() {
    Thread.ofPlatform().daemon().name("berth-leash").start(() -> follow(System.in));
  }

  private static void follow(InputStream in) {
    try {
      while (in.read() >= 0) {
        // Nobody says anything; only the end counts.
      }
    } catch (IOException e) {
      // As good as closed.
    }
    Runtime.getRuntime().halt(0);
  }
}
