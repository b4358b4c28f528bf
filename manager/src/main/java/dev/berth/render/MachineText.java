package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.render.Layout.Box;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine as text that fits a terminal: a summary, the places with their CPUs, and what else
 * there is to know. Places that are alike are told once, and stand side by side as far as the width
 * allows.
 */
public final class MachineText {
  /** The narrowest terminal that lines are kept within, as far as a single list of CPUs allows. */
  public static final int NARROWEST = 60;

  private static final int MOST_CORES_SHOWN = 16;

  private final Machine machine;
  private final int width;
  private final StringBuilder text = new StringBuilder();

  private MachineText(Machine machine, int width) {
    this.machine = machine;
    this.width = Math.max(width, NARROWEST);
  }

  /**
   * The text, with a line feed at the end; no line is longer than {@code width} unless one word is.
   */
  public static String render(Machine machine, int width) {
    return new MachineText(machine, width).render();
  }

  private String render() {
    line("", machine.name());
    line("", Words.summary(machine));
    Layout layout = Layout.of(machine);
    text.append('\n');
    layout.boxes().forEach(box -> place("", box));
    layout.left().forEach(level -> places(level));
    new DistanceText(machine, width).append(text);
    memoryNodes();
    kinds();
    fact("dies", machine.dies().stream().map(die -> Words.set(die.cpus())).toList());
    fact("clusters", machine.clusters().stream().map(part -> Words.set(part.cpus())).toList());
    fact("isolated", listed(machine.isolated()));
    fact("offline", listed(machine.offline()));
    return text.toString();
  }

  private static List<String> listed(CpuSet cpus) {
    return cpus.isEmpty() ? List.of() : List.of(Words.set(cpus));
  }

  /** A place, with those that only repeat its CPUs in the same line, and what is in it below. */
  private void place(String indent, Box outer) {
    StringBuilder label = new StringBuilder(label(outer));
    Box box = outer;
    while (box.inner().size() == 1 && box.inner().getFirst().level() != Level.CORE) {
      box = box.inner().getFirst();
      label.append(", ").append(label(box));
    }
    List<Box> inner = box.inner();
    boolean holdsCores = inner.stream().allMatch(child -> child.level() == Level.CORE);
    boolean holdsLeaves = inner.stream().allMatch(MachineText::isLeaf);
    if (holdsCores) {
      line(indent, label + ": " + Words.cores(machine, box.cpus()));
      cores(indent + "  ", box);
    } else if (holdsLeaves) {
      line(indent, label + ": " + alike(inner));
      cells(indent + "  ", inner);
    } else {
      line(indent, label + ": " + Words.set(box.cpus()));
      inner.forEach(child -> place(indent + "  ", child));
    }
  }

  /** Whether a place holds cores only, perhaps in other places around the same CPUs. */
  private static boolean isLeaf(Box box) {
    return box.level() != Level.CORE
        && box.inner().stream()
            .allMatch(
                child -> child.level() == Level.CORE || (box.inner().size() == 1 && isLeaf(child)));
  }

  private String label(Box box) {
    String label = Words.noun(box.level()) + " " + box.id();
    if (box.level() != Level.NODE) {
      return label;
    }
    for (NumaNode node : machine.nodes()) {
      if (node.id() == box.id() && node.memory().bytes() > 0) {
        return label + " (" + Words.bytes(node.memory().bytes()) + ")";
      }
    }
    return label;
  }

  /** {@code 16 L3 of 4 cores of 2 threads}, or only how many where they differ. */
  private String alike(List<Box> boxes) {
    String what = boxes.size() + " " + plural(boxes.getFirst());
    List<String> shapes =
        boxes.stream().map(box -> Words.cores(machine, box.cpus())).distinct().toList();
    return shapes.size() == 1 ? what + " of " + shapes.getFirst() : what;
  }

  private static String plural(Box box) {
    String noun = Words.noun(box.level());
    return box.level() == Level.CACHE ? noun : noun + "s";
  }

  private void cores(String indent, Box box) {
    boolean oneThread = box.inner().stream().allMatch(core -> core.cpus().size() == 1);
    if (oneThread || box.inner().size() > MOST_CORES_SHOWN) {
      words(indent, "CPUs ", List.of(Words.set(box.cpus()).split("(?<=,)", -1)));
    } else {
      columns(indent, box.inner().stream().map(core -> Words.set(core.cpus())).toList());
    }
  }

  private void cells(String indent, List<Box> boxes) {
    int widest = boxes.stream().mapToInt(box -> label(box).length()).max().orElse(0);
    columns(
        indent,
        boxes.stream()
            .map(box -> padded(label(box), widest) + "  " + Words.set(box.cpus()))
            .toList());
  }

  private static String padded(String label, int width) {
    return label + " ".repeat(width - label.length());
  }

  /** Cells side by side in columns of one width, read along the lines. */
  private void columns(String indent, List<String> cells) {
    int widest = cells.stream().mapToInt(String::length).max().orElse(0);
    int columns = Math.max(1, (width - indent.length() + 3) / (widest + 3));
    for (int i = 0; i < cells.size(); i += columns) {
      StringBuilder line = new StringBuilder(indent);
      for (int j = i; j < Math.min(i + columns, cells.size()); j++) {
        line.append(cells.get(j)).repeat(" ", widest + 3 - cells.get(j).length());
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private void places(Level level) {
    line("", level.noun() + "s, which overlap with other places:");
    columns(
        "  ",
        machine.domains(level).stream()
            .map(place -> Words.noun(level) + " " + place.id() + "  " + Words.set(place.cpus()))
            .toList());
  }

  /** Nodes without CPUs, by how much memory they have. */
  private void memoryNodes() {
    Map<Long, List<String>> bySize = new TreeMap<>((a, b) -> Long.compare(b, a));
    for (NumaNode node : machine.nodes()) {
      if (node.cpus().isEmpty()) {
        bySize
            .computeIfAbsent(node.memory().bytes(), size -> new ArrayList<>())
            .add(String.valueOf(node.id()));
      }
    }
    bySize.forEach((bytes, ids) ->
        fact(
            "nodes without CPUs, " + (bytes == 0 ? "no memory" : Words.bytes(bytes)),
            List.of(CpuSet.parse(String.join(",", ids)).toString().split("(?<=,)", -1)),
            ""));
  }

  private void kinds() {
    for (CoreKind kind : machine.kinds()) {
      String capacity = kind.capacity() == 0 ? "" : " (capacity " + kind.capacity() + ")";
      fact(
          kind.name() + capacity,
          List.of(Words.set(kind.cpus()), "(" + Words.cores(machine, kind.cpus()) + ")"),
          " ");
    }
  }

  private void fact(String name, List<String> values) {
    fact(name, values, "  ");
  }

  private void fact(String name, List<String> values, String gap) {
    if (!values.isEmpty()) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        parts.add(values.get(i) + (i + 1 < values.size() ? gap : ""));
      }
      words("", name + ": ", parts);
    }
  }

  private void line(String indent, String content) {
    words(indent, "", List.of(content.split("(?<=[ ,])", -1)));
  }

  /** Words behind a head, wrapped at the width and indented below it. */
  private void words(String indent, String head, List<String> words) {
    StringBuilder line = new StringBuilder(indent).append(head);
    int fresh = line.length();
    for (String word : words) {
      if (line.length() > fresh && line.length() + word.stripTrailing().length() > width) {
        text.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(indent).append("    ");
        fresh = line.length();
      }
      line.append(word);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }
}
