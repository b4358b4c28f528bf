package dev.berth.cli.watch;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Gives each pod with CPUs of its own a letter, which it keeps as long as it is here. */
final class Letters {
  private static final String ALL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private final Map<String, Integer> numbers = new HashMap<>();

  /** Forgets who is not among these, and gives the others the first that are free. */
  void keep(Collection<String> uids) {
    numbers.keySet().retainAll(uids);
    int next = 0;
    for (String uid : uids) {
      if (!numbers.containsKey(uid)) {
        while (numbers.containsValue(next)) {
          next++;
        }
        numbers.put(uid, next);
      }
    }
  }

  /** The number of its colour. */
  Optional<Integer> number(String uid) {
    return Optional.ofNullable(numbers.get(uid));
  }

  /** After the last letter they come again. */
  char letter(String uid) {
    return number(uid).map(number -> ALL.charAt(number % ALL.length())).orElse(' ');
  }
}
