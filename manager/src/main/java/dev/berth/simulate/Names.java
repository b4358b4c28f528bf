package dev.berth.simulate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts what people call pods in the place of their uids, which the engine knows them by. */
final class Names {
  private static final Pattern WORD = Pattern.compile("[^\\s,:;()]+");

  private final Map<String, String> titles = new HashMap<>();

  Names(List<Visitor> visitors) {
    visitors.forEach(one -> titles.put(one.pod().uid(), one.told().title()));
  }

  List<String> in(List<String> lines) {
    return lines.stream().map(this::in).toList();
  }

  private String in(String line) {
    return WORD.matcher(line)
        .replaceAll(word -> {
          String found = word.group();
          return Matcher.quoteReplacement(titles.getOrDefault(found, found));
        });
  }
}
