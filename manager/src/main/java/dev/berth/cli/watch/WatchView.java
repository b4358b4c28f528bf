package dev.berth.cli.watch;

import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.terminal.Frame;
import dev.berth.terminal.Size;
import dev.berth.terminal.Style;
import dev.berth.terminal.TextTable;
import dev.berth.terminal.Words;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws what is known, on as much room as there is. */
final class WatchView {
  private static final String KEYS = "q quit  ↑↓ choose  Enter explain  / filter  p pause  ? help";
  private static final int TROUBLE = 0;

  /** Beyond these, berth events tells. */
  private static final int MOST_EVENTS = 20;

  /** Columns of the list that give way on a narrow screen, the first first. */
  private static final int[] GIVING_WAY = {2, 6, 3, 5, 1};

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
    model.text().lines().forEach(line -> lines.addAll(Words.wrapped(line, columns - 1)));
    int room = Math.max(1, rows - 4);
    int first = model.scrolled(lines.size(), room);
    String more =
        lines.size() > room
            ? "  (" + Math.min(first + room, lines.size()) + "/" + lines.size() + ")"
            : "";
    frame.put(1, 0, Words.cut(model.text().title() + more, columns), Style.PLAIN.bold());
    for (int i = 0; i < room && first + i < lines.size(); i++) {
      frame.put(3 + i, 0, lines.get(first + i), Style.PLAIN);
    }
  }

  private void overview(News.Seen now) {
    int row = 1;
    frame.put(row++, 0, Words.cut(summary(now.status()), columns), Style.PLAIN);
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
    list(now.machine(), row, left - forEvents);
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
    return notes;
  }

  private void list(Machine machine, int row, int room) {
    List<PodLine> pods = model.pods();
    List<List<String>> cells = new ArrayList<>();
    cells.add(withBusy(List.of(" ", "POD", "QOS", "CPUS", "NODES", "ALIGNED", "STATE"), "BUSY"));
    pods.forEach(pod -> cells.add(cells(machine, pod)));
    List<String> lines = TextTable.shortened(cells, columns - 2, GIVING_WAY).lines();
    frame.put(row, 2, lines.getFirst(), Style.PLAIN.bold());
    int chosen = model.indexOfSelected();
    int places = Math.max(1, room - 1);
    int first = Math.clamp(chosen - places / 2, 0, Math.max(0, pods.size() - places));
    for (int i = 0; i < places && first + i < pods.size(); i++) {
      line(row + 1 + i, lines.get(first + i + 1), pods.get(first + i), first + i == chosen);
    }
    int below = pods.size() - first - places;
    if (below > 0) {
      String more = " " + below + " more ↓";
      frame.put(row, columns - more.length(), more, Style.PLAIN.dim());
    }
    if (pods.isEmpty()) {
      String word = model.filter().isEmpty() ? "nobody is here (berth run, berth apply)" : "none";
      frame.put(row + 1, 2, word, Style.PLAIN.dim());
    }
  }

  private void line(int row, String text, PodLine pod, boolean isChosen) {
    Style style = pod.isTroubled() ? Style.PLAIN.coloured(TROUBLE).bold() : Style.PLAIN;
    if (isChosen) {
      frame.paint(row, style.reverse());
    }
    Style plain = isChosen ? style.reverse() : style;
    frame.put(row, 0, isChosen ? "> " : pod.isTroubled() ? "! " : "  ", plain);
    frame.put(row, 2, text, plain);
    Optional<Integer> number = model.letters().number(pod.uid());
    number.ifPresent(colour ->
        frame.put(row, 2, model.letters().letter(pod.uid()), plain.coloured(colour).bold()));
  }

  private List<String> cells(Machine machine, PodLine pod) {
    boolean isAlone = !pod.own().isEmpty();
    OptionalInt busy = model.load().of(pod.own());
    String cpus = isAlone ? pod.own().toString() : pod.allowed().isEmpty() ? "-" : "shared";
    return withBusy(
        List.of(
            String.valueOf(model.letters().letter(pod.uid())),
            pod.title(),
            pod.qos(),
            cpus,
            pod.nodes(),
            isAlone ? aligned(machine, pod) : "-",
            pod.state()),
        busy.isPresent() ? busy.getAsInt() + " %" : "-");
  }

  /** The column is there where it can say something. */
  private List<String> withBusy(List<String> cells, String busy) {
    List<String> more = new ArrayList<>(cells);
    if (model.load().isKnown()) {
      more.add(busy);
    }
    return more;
  }

  /**
   * Whether CPUs lie in as few places as they can, and if not, which kinds of place are too many.
   */
  private static String aligned(Machine machine, PodLine pod) {
    Alignment alignment = Alignment.on(machine);
    if (!pod.own().isSubsetOf(machine.cpus())) {
      return "-";
    }
    Set<Boundary> missed = EnumSet.allOf(Boundary.class);
    missed.removeAll(alignment.of(pod.own()));
    return missed.isEmpty()
        ? "yes"
        : missed.stream()
            .map(boundary -> alignment.spread(boundary, pod.own()) + " " + boundary.word())
            .collect(Collectors.joining(", "));
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
