package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.render.Layout.Box;
import dev.berth.topology.Cpu;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A machine as a picture: sockets, NUMA nodes, caches, cores and threads as boxes in boxes.
 *
 * <p>One self-contained SVG with light and dark colours. A CPU's whole place is told when one
 * points at it. With an {@link Occupancy} it shows who has which CPUs, by colours and by letters.
 */
public final class MachineSvg {
  private static final int MARGIN = 24;
  private static final int TITLE = 58;
  private static final int LINE = 18;
  private static final int LEGEND_GAP = 10;
  private static final int CHIP_HEIGHT = 24;
  private static final int LEAST_WIDTH = 520;

  private final Machine machine;
  private final ThreadPaint paint;
  private final Map<Integer, NumaNode> nodes = new HashMap<>();
  private final SvgPen pen = new SvgPen();
  private final int threadWidth;
  private final int titleHeight;

  private MachineSvg(Machine machine, ThreadPaint paint) {
    this.machine = machine;
    this.paint = paint;
    machine.nodes().forEach(node -> nodes.put(node.id(), node));
    threadWidth = SvgBox.threadWidth(machine.cpus().last(), paint.longestMark());
    titleHeight = TITLE + LINE * (paint.heading().size() - 1);
  }

  /** The picture, as the text of an SVG file. */
  public static String render(Machine machine) {
    return new MachineSvg(machine, new KindPaint(machine)).render();
  }

  /** The picture of who has which of its CPUs. */
  public static String render(Machine machine, Occupancy occupancy) {
    return new MachineSvg(machine, new OwnerPaint(machine, occupancy)).render();
  }

  private String render() {
    List<SvgBox> boxes =
        Layout.of(machine).boxes().stream()
            .map(box -> SvgBox.of(box, threadWidth, this::label))
            .toList();
    int columns = SvgBox.columns(boxes, titleHeight);
    int contentWidth = SvgBox.gridWidth(boxes, columns);
    List<SvgLegend> legends = paint.legends();
    int inner = Math.max(contentWidth, Math.max(LEAST_WIDTH, wordsWidth(legends)));
    int width = inner + 2 * MARGIN;
    List<NumaNode> memory = machine.nodes().stream().filter(node -> node.cpus().isEmpty()).toList();
    int top = titleHeight + MARGIN;
    int machineHeight = SvgBox.gridHeight(boxes, columns);
    int bottom = top + machineHeight + memoryHeight(memory, width) + LEGEND_GAP;
    int legendHeight = legends.stream().mapToInt(legend -> legend.height(inner)).sum();
    open(width, bottom + legendHeight + MARGIN);
    grid(boxes, columns, MARGIN, top);
    memory(memory, width, top + machineHeight);
    int y = bottom;
    for (SvgLegend legend : legends) {
      legend.draw(pen, MARGIN, y, inner);
      y += legend.height(inner);
    }
    return pen.markup("</svg>\n").toString();
  }

  private int wordsWidth(List<SvgLegend> legends) {
    int heading = paint.heading().stream().mapToInt(SvgLegend::lettersWidth).max().orElse(0);
    return Math.max(heading, legends.stream().mapToInt(SvgLegend::width).max().orElse(0));
  }

  private void open(int width, int height) {
    pen.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    pen.markup(width + " " + height + "\" width=\"" + width);
    pen.markup("\" height=\"" + height + "\" role=\"img\">\n");
    pen.element("title", machine.name()).markup("\n");
    pen.element("desc", String.join("; ", paint.heading())).markup("\n");
    pen.markup(SvgStyle.CSS);
    pen.markup("<rect class=\"page\" width=\"" + width + "\" height=\"" + height + "\"/>\n");
    int fits = (width - 2 * MARGIN) / 11;
    pen.text("name", MARGIN, 36, SvgPen.shortened(machine.name(), fits));
    int y = TITLE;
    for (String line : paint.heading()) {
      pen.text("summary", MARGIN, y, line);
      y += LINE;
    }
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
    pen.rect(SvgStyle.of(level), x, y, width, height, level == Level.SOCKET ? 9 : 7);
    pen.text("label " + SvgStyle.of(level) + "-text", x + SvgBox.GAP + 2, y + 14, label(box.box()));
    int gridWidth = SvgBox.gridWidth(box.inner(), box.columns());
    grid(box.inner(), box.columns(), x + (width - gridWidth) / 2, y + SvgBox.HEADER);
  }

  private void core(SvgBox box, int x, int y) {
    pen.rect("core", x, y, box.width(), box.height(), 5);
    int i = 0;
    for (int cpu : box.box().cpus().toArray()) {
      int left = x + SvgBox.CORE_PADDING + (i % box.columns()) * (threadWidth + 2);
      int top = y + SvgBox.CORE_PADDING + (i / box.columns()) * (SvgBox.THREAD_HEIGHT + 2);
      pen.markup("<g>").element("title", told(cpu) + paint.told(cpu));
      thread(cpu, left, top);
      pen.markup("</g>\n");
      i++;
    }
  }

  private void thread(int cpu, int left, int top) {
    pen.rect(paint.style(cpu), left, top, threadWidth, SvgBox.THREAD_HEIGHT, 3);
    String mark = paint.mark(cpu);
    int room = mark.isEmpty() ? 0 : SvgBox.markWidth(paint.longestMark());
    pen.text("cpu", left + (threadWidth - room) / 2, top + 13, String.valueOf(cpu));
    if (!mark.isEmpty()) {
      pen.text("mark", left + threadWidth - 4, top + 13, mark);
    }
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
    return memory.stream().mapToInt(node -> SvgLegend.lettersWidth(chip(node))).max().orElse(0)
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
    pen.text("summary", MARGIN, top + 28, Words.count(memory.size(), "node") + " without CPUs");
    int columns = chipColumns(memory, width);
    for (int i = 0; i < memory.size(); i++) {
      int x = MARGIN + (i % columns) * (chipWidth(memory) + SvgBox.GAP);
      int y = top + 2 * SvgBox.HEADER + (i / columns) * (CHIP_HEIGHT + SvgBox.GAP);
      boolean bare = memory.get(i).memory().bytes() == 0;
      pen.rect(bare ? "node bare" : "node", x, y, chipWidth(memory), CHIP_HEIGHT, 7);
      pen.text("label node-text", x + 8, y + 16, chip(memory.get(i)));
    }
  }
}
