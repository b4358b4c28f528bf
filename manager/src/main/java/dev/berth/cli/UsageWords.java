package dev.berth.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What picocli says of a command line, in words for those who write no Java. */
final class UsageWords {
  private static final Pattern CHOICE =
      Pattern.compile(
          "Invalid value for (?:option|positional parameter at index \\d+) '?([^':(]+?)'?"
              + "(?: \\(.*\\))?: expected one of \\[(.*)] \\(case-insensitive\\) but was '(.*)'");
  private static final Pattern NUMBER =
      Pattern.compile("Invalid value for option '([^']+)'.*: '(.*)' is not an? (?:int|long)");
  private static final Pattern MISSING =
      Pattern.compile("Missing required option: '([^'=]+)=([^'=]+)'");

  private UsageWords() {}

  /** The same as before where nothing better is known. */
  static String plain(String message) {
    Matcher choice = CHOICE.matcher(message);
    if (choice.matches()) {
      return expected(choice.group(1), words(choice.group(2)), choice.group(3));
    }
    Matcher number = NUMBER.matcher(message);
    if (number.matches()) {
      return expected(number.group(1), "a whole number", number.group(2));
    }
    Matcher missing = MISSING.matcher(message);
    return missing.matches()
        ? "Expected " + missing.group(1) + " " + missing.group(2) + ", found none"
        : message;
  }

  private static String expected(String option, String expected, String found) {
    return option + ": expected " + expected + ", found \"" + found + "\"";
  }

  private static String words(String list) {
    List<String> all = Arrays.asList(list.toLowerCase(Locale.ROOT).split(", ", -1));
    int last = all.size() - 1;
    return last == 0
        ? all.getFirst()
        : String.join(", ", all.subList(0, last)) + " or " + all.get(last);
  }
}
