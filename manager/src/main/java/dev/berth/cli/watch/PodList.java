package dev.berth.cli.watch;

import dev.berth.story.Alignment;
import dev.berth.story.Boundary;
import dev.berth.terminal.Frame;
import dev.berth.terminal.Style;
import dev.berth.terminal.TextTable;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Draws the list of pods. */
final class PodList {
  private static final int TROUBLE = 0;

  /** Columns that give way on a narrow screen, the first first. */
  private static final int[] GIVING_WAY = {2, 6, 3, 5, 1};

  private final WatchModel model;
  private final Machine machine;
  private final Frame frame;
  private final int columns;

  PodList(WatchModel model, Machine machine, Frame frame) {
    this.model = model;
    this.machine = machine;
    this.frame = frame;
    columns = frame.size().columns();
  }

  /** From a row on, at most so many; the list follows the chosen one. */
  void draw(int row, int room) {
    List<PodLine> pods = model.pods();
    List<List<String>> cells = new ArrayList<>();
    cells.add(
        withLoad(List.of(" ", "POD", "QOS", "CPUS", "NODES", "ALIGNED", "STATE"), "OWN", "OTHER"));
    pods.forEach(pod -> cells.add(cells(pod)));
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

  private List<String> cells(PodLine pod) {
    boolean isAlone = !pod.own().isEmpty();
    OptionalInt busy = model.load().of(pod.own());
    OptionalInt own = model.load().ofOwner(pod.uid(), pod.own());
    String cpus = isAlone ? pod.own().toString() : pod.allowed().isEmpty() ? "-" : "shared";
    return withLoad(
        List.of(
            String.valueOf(model.letters().letter(pod.uid())),
            pod.title(),
            pod.qos(),
            cpus,
            pod.nodes(),
            isAlone ? aligned(pod) : "-",
            pod.state()),
        own.isPresent() ? own.getAsInt() + " %" : "-",
        busy.isPresent() && own.isPresent() ? busy.getAsInt() - own.getAsInt() + " %" : "-");
  }

  /** The columns are there where they can say something. */
  private List<String> withLoad(List<String> cells, String own, String other) {
    List<String> more = new ArrayList<>(cells);
    if (model.load().isKnown()) {
      more.add(own);
      more.add(other);
    }
    return more;
  }

  /**
   * Whether CPUs lie in as few places as they can, and if not, which kinds of place are too many.
   */
  private String aligned(PodLine pod) {
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
}
