package dev.berth.cli.watch;

import dev.berth.cpu.CpuSet;
import dev.berth.terminal.Frame;
import dev.berth.terminal.Size;
import dev.berth.terminal.Style;
import dev.berth.terminal.Words;
import java.util.ArrayList;
import java.util.List;

/** Draws what is known, on as much room as there is. */
final class WatchView {
  private static final String KEYS = "q quit  ↑↓ choose  Enter explain  / filter  p pause  ? help";

  /** Beyond these, berth events tells. */
  private static final int MOST_EVENTS = 20;

  private final WatchModel model;
  private final Frame frame;
  private final int columns;
  private final int rows;

  private WatchView(WatchModel model, Size size) {
    this.model = model;
    frame = new Frame(size);
    columns = size.columns();
    rows = size.rows();
  }

  /**
   * A screen.
   *
   * @param clock the time to show
   */
  static Frame draw(WatchModel model, Size size, String clock) {
    WatchView view = new WatchView(model, size);
    view.head(clock);
    switch (model.mode()) {
      case OVERVIEW, FILTERING -> model.seen().ifPresentOrElse(view::overview, view::nothing);
      case READING -> view.text();
    }
    view.foot();
    return view.frame;
  }

  /** The same without a line of keys, for a place where nobody can press them. */
  static Frame page(WatchModel model, Size size, String clock) {
    WatchView view = new WatchView(model, size);
    view.head(clock);
    model.seen().ifPresent(view::overview);
    return view.frame;
  }

  /** Says of itself how it was had: live, held, or old. */
  private void head(String clock) {
    Style bar = Style.PLAIN.reverse();
    frame.paint(0, bar);
    String title =
        model.seen().map(now -> now.status().machine() + "  " + now.status().policies()).orElse("");
    String state = model.lost().isPresent() ? "AGENT GONE" : model.isPaused() ? "PAUSED" : "live";
    String right = " " + state + "  " + clock + " ";
    frame.put(0, 0, Words.cut(" berth  " + title, columns - right.length()), bar);
    frame.put(0, columns - right.length(), right, state.equals("live") ? bar : bar.bold());
  }

  private void nothing() {
    String why = model.lost().orElse("asking the agent …");
    int row = 2;
    for (String line : Words.wrapped(why, columns)) {
      frame.put(row++, 0, line, Style.PLAIN);
    }
  }

  private void foot() {
    String line =
        switch (model.mode()) {
          case OVERVIEW -> model.filter().isEmpty() ? KEYS : "/" + model.filter() + "  (Esc: all)";
          case FILTERING -> "/" + model.filter() + "_  (Enter: done, Esc: all)";
          case READING -> "q back  ↑↓ PgUp PgDn scroll";
        };
    frame.put(rows - 1, 0, Words.cut(line, columns), Style.PLAIN.dim());
  }

  private void text() {
    List<String> lines = new ArrayList<>();
    News.Explained text = model.reading().text();
    text.lines().forEach(line -> lines.addAll(Words.wrapped(line, columns - 1)));
    int room = Math.max(1, rows - 4);
    int first = model.reading().firstOf(lines.size(), room);
    String more =
        lines.size() > room
            ? "  (" + Math.min(first + room, lines.size()) + "/" + lines.size() + ")"
            : "";
    frame.put(1, 0, Words.cut(text.title() + more, columns), Style.PLAIN.bold());
    for (int i = 0; i < room && first + i < lines.size(); i++) {
      frame.put(3 + i, 0, lines.get(first + i), Style.PLAIN);
    }
  }

  private void overview(News.Seen now) {
    int row = 1;
    frame.put(row++, 0, Words.cut(summary(now.status()), columns), Style.PLAIN);
    // Few machines have such CPUs, so their signs are explained where they stand.
    CpuSet isolated = now.machine().isolated();
    if (!isolated.isEmpty()) {
      String legend = "isolated by the kernel (: or underlined): " + isolated;
      frame.put(row++, 0, Words.cut(legend, columns), Style.PLAIN.dim());
    }
    for (String line : notes(now.status())) {
      frame.put(row++, 0, Words.cut(line, columns), Style.PLAIN.bold());
    }
    // The map has half of the rest, and the events at least a line or two.
    int room = rows - row - 1;
    MachineMap map =
        MachineMap.of(now.machine(), columns, Math.max(1, room / 2), model.load().isKnown());
    int mapRows = Math.min(map.rows(), Math.max(1, room / 2));
    new MapView(model, now, frame, map).draw(row, mapRows);
    row += mapRows + 1;
    int left = rows - 1 - row;
    int pods = model.pods().size() + 1;
    int forEvents = Math.max(Math.min(left / 3, model.events().size() + 1), left - pods - 1);
    new PodList(model, now.machine(), frame).draw(row, left - forEvents);
    events(rows - 1 - forEvents, forEvents);
  }

  static String summary(Status status) {
    int exclusive = status.cpus().difference(status.shared()).difference(status.reserved()).size();
    boolean isShared = status.reserved().isSubsetOf(status.shared());
    return status.cpus().size()
        + " CPUs: "
        + exclusive
        + " exclusive, "
        + status.shared().size()
        + " shared, "
        + (isShared ? "of which " : "")
        + status.reserved().size()
        + " reserved; "
        + status.pods().size()
        + (status.pods().size() == 1 ? " pod" : " pods");
  }

  private List<String> notes(Status status) {
    List<String> notes = new ArrayList<>();
    model.lost().ifPresent(why -> notes.add("The agent is gone, this is how it was: " + why));
    if (!status.caution().isEmpty()) {
      notes.add(status.caution());
    }
    status.differences().forEach(line -> notes.add("Not as wanted: " + line));
    return notes;
  }

  private void events(int row, int room) {
    List<News.Told> events = model.events();
    if (room < 2 || events.isEmpty()) {
      return;
    }
    frame.put(row, 2, "LATEST EVENTS", Style.PLAIN.bold());
    int first = Math.max(0, events.size() - Math.min(room - 1, MOST_EVENTS));
    for (int i = first; i < events.size(); i++) {
      News.Told told = events.get(i);
      // Of the instant only the time of the day, as the clock above has it.
      String time = told.time().length() > 19 ? told.time().substring(11, 19) : told.time();
      String who = told.pod().isEmpty() ? "" : " " + told.pod();
      String line = time + " " + told.kind() + who + ": " + told.message();
      frame.put(row + 1 + i - first, 2, Words.cut(line, columns - 2), Style.PLAIN);
    }
  }
}
