package dev.berth.cli.watch;

import dev.berth.cpu.CpuSet;
import dev.berth.terminal.Frame;
import dev.berth.terminal.Style;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Fills the map of a machine: whose each CPU is, and how busy. */
final class MapView {
  private static final char SHARED = '·';
  private static final char RESERVED = '#';
  private static final char ISOLATED = ':';
  private static final String BARS = " ▁▂▃▄▅▆▇█";
  private static final int BUSY = 50;

  private final WatchModel model;
  private final Status status;
  private final Frame frame;
  private final MachineMap map;
  private final Map<Integer, PodLine> owners = new HashMap<>();
  private final CpuSet chosen;
  private final CpuSet isolated;

  MapView(WatchModel model, News.Seen now, Frame frame, MachineMap map) {
    this.model = model;
    this.frame = frame;
    this.map = map;
    status = now.status();
    isolated = now.machine().isolated();
    status.pods().forEach(pod -> pod.own().forEach(cpu -> owners.put(cpu, pod)));
    chosen =
        model
            .selected()
            .map(pod -> pod.own().isEmpty() ? CpuSet.EMPTY : pod.own())
            .orElse(CpuSet.EMPTY);
  }

  /** From a row on, at most so many; what does not fit is told in the last one. */
  void draw(int top, int room) {
    for (MachineMap.Label label : map.labels()) {
      if (label.row() < room) {
        frame.put(top + label.row(), label.column(), label.text(), Style.PLAIN.dim());
      }
    }
    map.cells().stream().filter(cell -> cell.row() < room).forEach(cell -> draw(top, cell));
    if (map.rows() > room) {
      String more = " and " + (map.rows() - room) + " lines more ";
      int column = Math.max(0, frame.size().columns() - more.length());
      frame.put(top + room - 1, column, more, Style.PLAIN.reverse());
    }
  }

  private void draw(int top, MachineMap.Cell cell) {
    int cpu = shownOf(cell);
    OptionalInt load = model.load().of(cpu);
    Style style = style(cpu);
    boolean isBusy = load.isPresent() && load.getAsInt() >= BUSY;
    frame.put(top + cell.row(), cell.column(), sign(cpu), isBusy ? style.bold() : style);
    if (map.hasLoad() && load.isPresent()) {
      int eighths = (load.getAsInt() * (BARS.length() - 1) + BUSY) / 100;
      frame.put(top + cell.row() + 1, cell.column(), BARS.charAt(eighths), style);
    }
  }

  /** Of a core that stands as one character, a CPU that somebody has, so that nobody is unseen. */
  private int shownOf(MachineMap.Cell cell) {
    return cell.cpus().stream()
        .filter(owners::containsKey)
        .findFirst()
        .orElse(cell.cpus().getFirst());
  }

  private char sign(int cpu) {
    Optional<PodLine> owner = Optional.ofNullable(owners.get(cpu));
    if (owner.isPresent()) {
      return model.letters().letter(owner.get().uid());
    }
    if (status.reserved().contains(cpu)) {
      return RESERVED;
    }
    return !status.shared().contains(cpu) ? '?' : isolated.contains(cpu) ? ISOLATED : SHARED;
  }

  private Style style(int cpu) {
    Style plain =
        Optional.ofNullable(owners.get(cpu))
            .flatMap(owner -> model.letters().number(owner.uid()))
            .map(Style.PLAIN::coloured)
            .orElse(Style.PLAIN.dim());
    boolean isMarked = isolated.contains(cpu) && owners.containsKey(cpu);
    Style marked = isMarked ? plain.underlined() : plain;
    return chosen.contains(cpu) ? marked.reverse() : marked;
  }
}
