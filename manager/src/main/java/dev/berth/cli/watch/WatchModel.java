package dev.berth.cli.watch;

import dev.berth.terminal.Key;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** What is known, and what is looked at. For one thread. */
final class WatchModel {
  /** What fills the screen. */
  enum Mode {
    /** Machine, pods and events. */
    OVERVIEW,
    /** The same while the filter is typed. */
    FILTERING,
    /** A text with an end that can be scrolled to. */
    READING
  }

  /** More than any screen shows. */
  private static final int EVENTS_KEPT = 200;

  private static final int PAGE = 10;
  private final Deque<News.Told> events = new ArrayDeque<>();
  private final Deque<News> held = new ArrayDeque<>();
  private final Letters letters = new Letters();
  private Optional<News.Seen> seen = Optional.empty();
  private Optional<String> lost = Optional.empty();
  private Load load = Load.NONE;
  private Mode mode = Mode.OVERVIEW;
  private String filter = "";
  private String selected = "";
  private boolean isPaused;
  private boolean isOver;
  private Optional<PodLine> asked = Optional.empty();
  private Reading reading = Reading.of(new News.Explained("", List.of()));

  /** Changes accordingly. */
  void take(News news) {
    if (isPaused && !(news instanceof News.Pressed || news instanceof News.Resized)) {
      hold(news);
      return;
    }
    switch (news) {
      case News.Seen now -> see(now);
      case News.Told told -> tell(told);
      case News.Lost gone -> lost = Optional.of(gone.why());
      case News.Explained explained -> read(explained);
      case News.Measured measured -> load = measured.load();
      case News.Pressed pressed -> press(pressed.key());
      case News.Resized _ -> {}
    }
  }

  /** Of all that stands in place of something earlier only the latest counts. */
  private void hold(News news) {
    if (!(news instanceof News.Told)) {
      held.removeIf(earlier -> earlier.getClass() == news.getClass());
    }
    held.addLast(news);
    if (held.size() > EVENTS_KEPT) {
      held.removeFirst();
    }
  }

  private void see(News.Seen now) {
    seen = Optional.of(now);
    lost = Optional.empty();
    letters.keep(
        now.status().pods().stream()
            .filter(pod -> !pod.own().isEmpty())
            .map(PodLine::uid)
            .toList());
  }

  /** An agent tells from its beginning to everybody who comes, and one that is new counts anew. */
  private void tell(News.Told told) {
    if (events.stream().anyMatch(told::equals)) {
      return;
    }
    events.addLast(told);
    if (events.size() > EVENTS_KEPT) {
      events.removeFirst();
    }
  }

  private void read(News.Explained explained) {
    reading = Reading.of(explained);
    mode = Mode.READING;
  }

  private void press(Key key) {
    if (key.kind() == Key.Kind.GONE) {
      isOver = true;
      return;
    }
    switch (mode) {
      case OVERVIEW -> pressInOverview(key);
      case FILTERING -> pressInFilter(key);
      case READING -> mode = reading.press(key) ? Mode.READING : Mode.OVERVIEW;
    }
  }

  private void pressInOverview(Key key) {
    switch (key.kind()) {
      case UP -> move(-1);
      case DOWN -> move(1);
      case PAGE_UP -> move(-PAGE);
      case PAGE_DOWN -> move(PAGE);
      case HOME -> move(-pods().size());
      case END -> move(pods().size());
      case ENTER -> asked = selected();
      case ESCAPE -> filter = "";
      case CHARACTER -> type(key.character());
      case BACKSPACE, OTHER, GONE -> {}
    }
  }

  private void type(char character) {
    switch (character) {
      case 'q' -> isOver = true;
      case 'k' -> move(-1);
      case 'j' -> move(1);
      case 'e' -> asked = selected();
      case '/' -> mode = Mode.FILTERING;
      case 'p', ' ' -> pause();
      case '?', 'h' -> read(Reading.HELP);
      default -> {}
    }
  }

  private void pause() {
    isPaused = !isPaused;
    while (!isPaused && !held.isEmpty()) {
      take(held.removeFirst());
    }
  }

  private void pressInFilter(Key key) {
    switch (key.kind()) {
      case CHARACTER -> filter += key.character();
      case BACKSPACE -> filter = filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1);
      case ENTER, UP, DOWN -> mode = Mode.OVERVIEW;
      case ESCAPE -> {
        filter = "";
        mode = Mode.OVERVIEW;
      }
      case PAGE_UP, PAGE_DOWN, HOME, END, OTHER, GONE -> {}
    }
  }

  /** Where nobody is chosen yet, down chooses the first and up the last. */
  private void move(int places) {
    List<PodLine> pods = pods();
    if (pods.isEmpty()) {
      return;
    }
    int now = indexOfSelected();
    int from = now < 0 && places < 0 ? pods.size() : now;
    selected = pods.get(Math.clamp(from + (long) places, 0, pods.size() - 1)).uid();
  }

  /** The pods that the filter leaves. */
  List<PodLine> pods() {
    return seen.stream()
        .flatMap(now -> now.status().pods().stream())
        .filter(pod -> pod.matches(filter))
        .toList();
  }

  /** Its place among {@link #pods()}; -1 where none is chosen. */
  int indexOfSelected() {
    List<PodLine> pods = pods();
    for (int i = 0; i < pods.size(); i++) {
      if (pods.get(i).uid().equals(selected)) {
        return i;
      }
    }
    return -1;
  }

  Optional<PodLine> selected() {
    int index = indexOfSelected();
    return index < 0 ? Optional.empty() : Optional.of(pods().get(index));
  }

  /** Whom to explain, once. */
  Optional<PodLine> takeQuestion() {
    Optional<PodLine> question = asked;
    asked = Optional.empty();
    return question;
  }

  Optional<News.Seen> seen() {
    return seen;
  }

  /** Why the agent does not answer. */
  Optional<String> lost() {
    return lost;
  }

  List<News.Told> events() {
    return List.copyOf(events);
  }

  Letters letters() {
    return letters;
  }

  Load load() {
    return seen.map(News.Seen::isHere).orElse(false) ? load : Load.NONE;
  }

  Mode mode() {
    return mode;
  }

  String filter() {
    return filter;
  }

  Reading reading() {
    return reading;
  }

  boolean isPaused() {
    return isPaused;
  }

  boolean isOver() {
    return isOver;
  }
}
