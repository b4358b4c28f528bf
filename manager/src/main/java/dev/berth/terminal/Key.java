package dev.berth.terminal;

/**
 * A key that was pressed.
 *
 * @param kind which
 * @param character what was typed, where it is a character
 */
public record Key(Kind kind, char character) {
  /** The keys that are told apart. */
  public enum Kind {
    /** One that types something. */
    CHARACTER,
    /** Arrow up. */
    UP,
    /** Arrow down. */
    DOWN,
    /** A page up. */
    PAGE_UP,
    /** A page down. */
    PAGE_DOWN,
    /** To the first. */
    HOME,
    /** To the last. */
    END,
    /** Enter. */
    ENTER,
    /** Escape. */
    ESCAPE,
    /** Backspace. */
    BACKSPACE,
    /** One that means nothing here. */
    OTHER,
    /** No key: the keyboard is gone. */
    GONE
  }

  /** One that types a character. */
  public static Key of(char character) {
    return new Key(Kind.CHARACTER, character);
  }

  /** One that types nothing. */
  public static Key of(Kind kind) {
    return new Key(kind, '\0');
  }

  /** Whether it types this. */
  public boolean types(char wanted) {
    return kind == Kind.CHARACTER && character == wanted;
  }
}
