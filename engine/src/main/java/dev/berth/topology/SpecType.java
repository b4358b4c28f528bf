package dev.berth.topology;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of level that a machine spec can name. */
enum SpecType {
  PACKAGE("package", "socket"),
  DIE("die"),
  NODE("numanode", "node"),
  GROUP("group", "tile", "module"),
  L5("l5"),
  L4("l4"),
  L3("l3"),
  L2("l2"),
  L1("l1"),
  /** Instruction caches, which hwloc lets stand as levels of their own. */
  L1_INSTRUCTION("l1i"),
  L2_INSTRUCTION("l2i"),
  L3_INSTRUCTION("l3i"),
  CORE("core"),
  PU("pu");

  /** What an error offers, in the words that most specs use. */
  static final String EXPECTED = "a level (pack, die, node, group, l5 to l1, core, pu)";

  private static final int SHORTEST = 2;

  private final String name;
  private final String synonyms;

  SpecType(String name, String... synonyms) {
    this.name = name;
    this.synonyms = String.join(" ", synonyms);
  }

  /**
   * The level that {@code word} names, as hwloc reads it: any case, and a beginning of two letters
   * or more is enough; caches are {@code l3}, {@code l3u}, {@code l3d}, {@code l3i}, {@code
   * l3cache} and so on.
   */
  static @Nullable SpecType named(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (SpecType type : values()) {
      if (type.isCache() ? type.isCacheNamed(lower) : type.isNamed(lower)) {
        return type;
      }
    }
    return null;
  }

  private boolean isNamed(String word) {
    return word.length() >= SHORTEST
        && (name.startsWith(word) || (" " + synonyms).contains(" " + word));
  }

  private boolean isCacheNamed(String word) {
    if (!word.startsWith(name)) {
      return false;
    }
    String rest = word.substring(name.length());
    if (rest.endsWith("cache")) {
      rest = rest.substring(0, rest.length() - "cache".length());
    }
    return rest.isEmpty() || (name.length() == 2 && (rest.equals("u") || rest.equals("d")));
  }

  boolean isCache() {
    return name.charAt(0) == 'l';
  }

  /** What the type is called in errors. */
  String noun() {
    return name;
  }
}
