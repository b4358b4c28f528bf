package dev.berth.render;

import dev.berth.render.SvgLegend.Swatch;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * CPUs by what they are: isolated ones, and kinds of core where there are several.
 *
 * @param machine the machine
 */
record KindPaint(Machine machine) implements ThreadPaint {
  @Override
  public String style(int cpu) {
    if (machine.isolated().contains(cpu)) {
      return "thread isolated";
    }
    for (int i = 0; i < machine.kinds().size(); i++) {
      if (machine.kinds().get(i).cpus().contains(cpu)) {
        return kindStyle(i);
      }
    }
    return "thread";
  }

  private static String kindStyle(int kind) {
    return "thread kind" + Math.min(kind, SvgStyle.KINDS - 1);
  }

  @Override
  public String mark(int cpu) {
    return "";
  }

  @Override
  public String told(int cpu) {
    return "";
  }

  @Override
  public int longestMark() {
    return 0;
  }

  @Override
  public List<String> heading() {
    return List.of(Words.summary(machine));
  }

  @Override
  public List<SvgLegend> legends() {
    List<Swatch> keys = new ArrayList<>(SvgLegend.PLACES);
    List<CoreKind> kinds = machine.kinds();
    if (kinds.isEmpty()) {
      keys.add(new Swatch("thread", "", "CPU"));
    }
    for (int i = 0; i < kinds.size(); i++) {
      keys.add(new Swatch(kindStyle(i), "", kinds.get(i).name() + " CPU"));
    }
    if (!machine.isolated().isEmpty()) {
      keys.add(new Swatch("thread isolated", "", "isolated CPU"));
    }
    if (!machine.offline().isEmpty()) {
      String offline = SvgPen.shortened(Words.set(machine.offline()), 40);
      keys.add(new Swatch("", "", "offline: " + offline));
    }
    return List.of(new SvgLegend(keys, false));
  }
}
