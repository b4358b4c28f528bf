package dev.berth.render;

import java.util.List;

/** What the CPUs of a picture look like, and what its legend says about that. */
interface ThreadPaint {
  /** The styles of a CPU's box. */
  String style(int cpu);

  /** A letter or two beside a CPU's number, for those who see no colours; may be empty. */
  String mark(int cpu);

  /** What is told, beside its place, when one points at a CPU; may be empty. */
  String told(int cpu);

  /** How long marks are at most. */
  int longestMark();

  /** Lines below the machine's name. */
  List<String> heading();

  /** The parts of the legend, each of which begins a row. */
  List<SvgLegend> legends();
}
