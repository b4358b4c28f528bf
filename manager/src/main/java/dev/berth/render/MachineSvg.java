package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.render.Layout.Box;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Cpu;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A machine as a picture: sockets, NUMA nodes, caches, cores and threads as boxes in boxes.
 *
 * <p>One self-contained SVG with light and dark colours. A CPU's whole place is told when one
 * points at it.
 */
public final class MachineSvg {
  private static final int MARGIN = 24;
  private static final int TITLE = 58;
  private static final int LEGEND = 34;
  private static final int CHIP_HEIGHT = 24;
  private static final int LEAST_WIDTH = 520;

  /** How wide a letter is at most on average, in tenths of a pixel. */
  private static final int LETTER_TENTHS = 73;

  private final Machine machine;
  private final Map<Integer, NumaNode> nodes = new HashMap<>();
  private final StringBuilder svg = new StringBuilder();
  private final int threadWidth;

  private MachineSvg(Machine machine) {
    this.machine = machine;
    machine.nodes().forEach(node -> nodes.put(node.id(), node));
    threadWidth = SvgBox.threadWidth(machine.cpus().last());
  }

  /** The picture, as the text of an SVG file. */
  public static String render(Machine machine) {
    return new MachineSvg(machine).render();
  }

  private String render() {
    List<SvgBox> boxes =
        Layout.of(machine).boxes().stream()
            .map(box -> SvgBox.of(box, threadWidth, this::label))
            .toList();
    int columns = SvgBox.columns(boxes, TITLE);
    int contentWidth = SvgBox.gridWidth(boxes, columns);
    List<String> legend = legend();
    int words = Words.summary(machine).length() * LETTER_TENTHS / 10;
    int width =
        Math.max(Math.max(contentWidth, words), Math.max(LEAST_WIDTH, legendWidth(legend)))
            + 2 * MARGIN;
    List<NumaNode> memory = machine.nodes().stream().filter(node -> node.cpus().isEmpty()).toList();
    int memoryHeight = memoryHeight(memory, width);
    int bottom = TITLE + MARGIN + SvgBox.gridHeight(boxes, columns) + memoryHeight;
    int height = bottom + LEGEND + MARGIN;
    open(width, height);
    grid(boxes, columns, MARGIN, TITLE + MARGIN);
    memory(memory, width, TITLE + MARGIN + SvgBox.gridHeight(boxes, columns));
    legend(legend, bottom + LEGEND / 2);
    return svg.append("</svg>\n").toString();
  }

  private void open(int width, int height) {
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    svg.append(width).append(' ').append(height).append("\" width=\"").append(width);
    svg.append("\" height=\"").append(height).append("\" role=\"img\">\n");
    svg.append("<title>").append(escaped(machine.name())).append("</title>\n<desc>");
    svg.append(escaped(Words.summary(machine))).append("</desc>\n");
    svg.append(SvgStyle.CSS);
    svg.append("<rect class=\"page\" width=\"").append(width).append("\" height=\"");
    svg.append(height).append("\"/>\n");
    int fits = (width - 2 * MARGIN) / 11;
    text("name", MARGIN, 36, shortened(machine.name(), fits));
    text("summary", MARGIN, 58, Words.summary(machine));
  }

  private String label(Box box) {
    String label =
        switch (box.level()) {
          case SOCKET -> "socket " + box.id();
          case NODE -> "NUMA node " + box.id();
          case CACHE -> "L3 " + box.id();
          case CORE -> "core " + box.id();
        };
    NumaNode node = box.level() == Level.NODE ? nodes.get(box.id()) : null;
    return node == null || node.memory().bytes() == 0
        ? label
        : label + ", " + Words.bytes(node.memory().bytes());
  }

  private void grid(List<SvgBox> boxes, int columns, int left, int top) {
    int y = top;
    int cell = SvgBox.cellWidth(boxes);
    for (int row = 0; row * columns < boxes.size(); row++) {
      int rowHeight = SvgBox.rowHeight(boxes, columns, row);
      int last = Math.min(boxes.size(), (row + 1) * columns);
      for (int i = row * columns; i < last; i++) {
        SvgBox box = boxes.get(i);
        boolean isCore = box.box().level() == Level.CORE;
        int width = isCore ? box.width() : cell;
        draw(
            box,
            left + (i % columns) * (cell + SvgBox.GAP),
            y,
            width,
            isCore ? box.height() : rowHeight);
      }
      y += rowHeight + SvgBox.GAP;
    }
  }

  private void draw(SvgBox box, int x, int y, int width, int height) {
    Level level = box.box().level();
    if (level == Level.CORE) {
      core(box, x, y);
      return;
    }
    rect(SvgStyle.of(level), x, y, width, height, level == Level.SOCKET ? 9 : 7);
    text("label " + SvgStyle.of(level) + "-text", x + SvgBox.GAP + 2, y + 14, label(box.box()));
    int gridWidth = SvgBox.gridWidth(box.inner(), box.columns());
    grid(box.inner(), box.columns(), x + (width - gridWidth) / 2, y + SvgBox.HEADER);
  }

  private void core(SvgBox box, int x, int y) {
    rect("core", x, y, box.width(), box.height(), 5);
    int i = 0;
    for (int cpu : box.box().cpus().toArray()) {
      int left = x + SvgBox.CORE_PADDING + (i % box.columns()) * (threadWidth + 2);
      int top = y + SvgBox.CORE_PADDING + (i / box.columns()) * (SvgBox.THREAD_HEIGHT + 2);
      svg.append("<g><title>").append(escaped(told(cpu))).append("</title>");
      rect(threadClass(cpu), left, top, threadWidth, SvgBox.THREAD_HEIGHT, 3);
      text("cpu", left + threadWidth / 2, top + 13, String.valueOf(cpu));
      svg.append("</g>\n");
      i++;
    }
  }

  private String threadClass(int cpu) {
    if (machine.isolated().contains(cpu)) {
      return "thread isolated";
    }
    for (int i = 0; i < machine.kinds().size(); i++) {
      if (machine.kinds().get(i).cpus().contains(cpu)) {
        return "thread kind" + Math.min(i, SvgStyle.KINDS - 1);
      }
    }
    return "thread";
  }

  private String told(int cpu) {
    Cpu place = machine.cpuList().get(machine.cpus().intersection(rangeTo(cpu)).size() - 1);
    return "CPU "
        + cpu
        + ": core "
        + place.core()
        + ", L3 "
        + place.cache()
        + ", NUMA node "
        + place.node()
        + ", socket "
        + place.socket();
  }

  private static CpuSet rangeTo(int cpu) {
    return CpuSet.range(0, cpu);
  }

  private static String chip(NumaNode node) {
    long bytes = node.memory().bytes();
    return "node " + node.id() + ", " + (bytes == 0 ? "no memory" : Words.bytes(bytes));
  }

  private static int chipWidth(List<NumaNode> memory) {
    return memory.stream().mapToInt(node -> chip(node).length()).max().orElse(0)
            * LETTER_TENTHS
            / 10
        + 18;
  }

  private static int chipColumns(List<NumaNode> memory, int width) {
    return Math.max(1, (width - 2 * MARGIN + SvgBox.GAP) / (chipWidth(memory) + SvgBox.GAP));
  }

  private static int memoryHeight(List<NumaNode> memory, int width) {
    if (memory.isEmpty()) {
      return 0;
    }
    int rows = (memory.size() + chipColumns(memory, width) - 1) / chipColumns(memory, width);
    return 2 * SvgBox.HEADER + rows * (CHIP_HEIGHT + SvgBox.GAP);
  }

  private void memory(List<NumaNode> memory, int width, int top) {
    if (memory.isEmpty()) {
      return;
    }
    text("summary", MARGIN, top + 28, Words.count(memory.size(), "node") + " without CPUs");
    int columns = chipColumns(memory, width);
    for (int i = 0; i < memory.size(); i++) {
      int x = MARGIN + (i % columns) * (chipWidth(memory) + SvgBox.GAP);
      int y = top + 2 * SvgBox.HEADER + (i / columns) * (CHIP_HEIGHT + SvgBox.GAP);
      boolean bare = memory.get(i).memory().bytes() == 0;
      rect(bare ? "node bare" : "node", x, y, chipWidth(memory), CHIP_HEIGHT, 7);
      text("label node-text", x + 8, y + 16, chip(memory.get(i)));
    }
  }

  /** Pairs of a style and what it stands for, one after the other. */
  private List<String> legend() {
    List<String> legend =
        new ArrayList<>(
            List.of("socket", "socket", "node", "NUMA node", "cache", "L3 cache", "core", "core"));
    if (machine.kinds().isEmpty()) {
      legend.addAll(List.of("thread", "CPU"));
    }
    List<CoreKind> kinds = machine.kinds();
    for (int i = 0; i < kinds.size(); i++) {
      legend.addAll(
          List.of("thread kind" + Math.min(i, SvgStyle.KINDS - 1), kinds.get(i).name() + " CPU"));
    }
    if (!machine.isolated().isEmpty()) {
      legend.addAll(List.of("thread isolated", "isolated CPU"));
    }
    if (!machine.offline().isEmpty()) {
      legend.addAll(List.of("", "offline: " + shortened(Words.set(machine.offline()), 40)));
    }
    return legend;
  }

  private static int legendWidth(List<String> legend) {
    int width = 0;
    for (int i = 1; i < legend.size(); i += 2) {
      width += legend.get(i).length() * LETTER_TENTHS / 10 + 38;
    }
    return width;
  }

  private void legend(List<String> legend, int y) {
    int x = MARGIN;
    for (int i = 0; i < legend.size(); i += 2) {
      if (!legend.get(i).isEmpty()) {
        rect(legend.get(i), x, y - 7, 16, 14, 4);
        x += 22;
      }
      text("legend", x, y + 4, legend.get(i + 1));
      x += legend.get(i + 1).length() * LETTER_TENTHS / 10 + 16;
    }
  }

  private void rect(String style, int x, int y, int width, int height, int radius) {
    svg.append("<rect class=\"").append(style).append("\" x=\"").append(x).append("\" y=\"");
    svg.append(y).append("\" width=\"").append(width).append("\" height=\"").append(height);
    svg.append("\" rx=\"").append(radius).append("\"/>\n");
  }

  private void text(String style, int x, int y, String content) {
    svg.append("<text class=\"").append(style).append("\" x=\"").append(x).append("\" y=\"");
    svg.append(y).append("\">").append(escaped(content)).append("</text>\n");
  }

  private static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, Math.max(length - 1, 1)) + "…";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replaceAll("\\p{Cntrl}", "?");
  }
}
