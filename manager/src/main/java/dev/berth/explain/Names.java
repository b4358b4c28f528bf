package dev.berth.explain;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people call pods, which the engine knows by their uids.
 *
 * @param byUid each one's
 */
public record Names(Map<String, String> byUid) {
  private static final Pattern WORD = Pattern.compile("[^\\s,:;()]+");

  /** Takes a copy. */
  public Names {
    byUid = Map.copyOf(byUid);
  }

  /** The same, with somebody more. */
  Names and(String uid, String name) {
    Map<String, String> more = new HashMap<>(byUid);
    more.put(uid, name);
    return new Names(more);
  }

  /** What people call a pod; its uid where nobody knows. */
  public String of(String uid) {
    return byUid.getOrDefault(uid, uid);
  }

  /** The same line, with names in the place of uids. */
  public String in(String line) {
    return WORD.matcher(line).replaceAll(word -> Matcher.quoteReplacement(of(word.group())));
  }

  /** The same lines, with names in the place of uids. */
  public List<String> in(List<String> lines) {
    return lines.stream().map(this::in).toList();
  }
}
