package dev.berth.cli.watch;

import dev.berth.terminal.Key;
import java.util.List;

/** A text that fills the screen, and how far it is scrolled. For one thread. */
final class Reading {
  /** As many lines at once. */
  private static final int PAGE = 10;

  private static final List<String> KEYS_AND_SIGNS =
      List.of(
          "↑ ↓, k j       choose a pod; its CPUs stand out on the map",
          "PgUp PgDn      ten pods up or down; Home End the first, the last",
          "Enter, e       why it sits there, or why it was refused",
          "/              show only pods whose name, class or state has these words",
          "Esc            show all again; leave a text",
          "p              hold the picture, and go on",
          "q              quit",
          "",
          "On the map     A B c   a CPU that one pod has to itself, by its letter",
          "               ·       the shared pool",
          "               #       reserved for the system",
          "               :       shared, isolated by the kernel (owned: underlined)",
          "               │       between L3 caches; S is a socket, N a NUMA node",
          "               ▁▄█     below it, how busy each CPU is",
          "",
          "ALIGNED        yes: in as few cores, L3 caches, nodes and sockets as can be;",
          "               otherwise, what it is spread over beyond need",
          "OWN            how busy its own processes keep its own CPUs",
          "OTHER          how busy everybody else keeps them; both on this machine only");

  /** What keys do and signs mean. */
  static final News.Explained HELP = new News.Explained("Keys and signs", KEYS_AND_SIGNS);

  private final News.Explained text;
  private int scrolled;

  private Reading(News.Explained text) {
    this.text = text;
  }

  /** From its beginning. */
  static Reading of(News.Explained text) {
    return new Reading(text);
  }

  News.Explained text() {
    return text;
  }

  /** Takes a key; whether the text is still read is the answer. */
  boolean press(Key key) {
    switch (key.kind()) {
      case UP -> scroll(-1);
      case DOWN, ENTER -> scroll(1);
      case PAGE_UP -> scroll(-PAGE);
      case PAGE_DOWN -> scroll(PAGE);
      case HOME -> scrolled = 0;
      case END -> scrolled = Integer.MAX_VALUE;
      case CHARACTER -> type(key.character());
      case ESCAPE, BACKSPACE, OTHER, GONE -> {}
    }
    return !(key.kind() == Key.Kind.ESCAPE || key.types('q') || key.types('?'));
  }

  private void type(char character) {
    switch (character) {
      case 'k' -> scroll(-1);
      case 'j' -> scroll(1);
      case ' ' -> scroll(PAGE);
      default -> {}
    }
  }

  private void scroll(int lines) {
    scrolled = Math.clamp((long) scrolled + lines, 0, Integer.MAX_VALUE);
  }

  /** Keeps the text from being scrolled beyond its end; the first line to show is the answer. */
  int firstOf(int lines, int room) {
    scrolled = Math.clamp(scrolled, 0, Math.max(0, lines - room));
    return scrolled;
  }
}
