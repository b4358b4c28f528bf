package dev.berth.render;

import dev.berth.cpu.CpuSet;
import dev.berth.render.Occupancy.Occupant;
import dev.berth.render.SvgLegend.Swatch;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** CPUs by who has them: a colour for each pod, and a letter for each of its containers. */
final class OwnerPaint implements ThreadPaint {
  /** All letters but the R, which stands for what is reserved. */
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQSTUVWXYZ";

  private static final String RESERVED = "R";
  private static final int LONGEST_NAME = 40;
  private static final int LONGEST_SET = 36;
  private static final int LONGEST_REMARK = 90;

  private final Machine machine;
  private final Occupancy occupancy;
  private final Map<Integer, Integer> owners = new HashMap<>();
  private final Map<String, Integer> colours = new HashMap<>();

  OwnerPaint(Machine machine, Occupancy occupancy) {
    this.machine = machine;
    this.occupancy = occupancy;
    for (int i = 0; i < occupancy.occupants().size(); i++) {
      Occupant occupant = occupancy.occupants().get(i);
      colours.putIfAbsent(occupant.pod(), colours.size() % SvgStyle.OWNERS);
      for (int cpu : occupant.cpus().toArray()) {
        owners.putIfAbsent(cpu, i);
      }
    }
  }

  private static String letters(int occupant) {
    String last = String.valueOf(LETTERS.charAt(occupant % LETTERS.length()));
    return occupant < LETTERS.length() ? last : letters(occupant / LETTERS.length() - 1) + last;
  }

  private String style(Occupant occupant) {
    return "thread owner" + colours.get(occupant.pod());
  }

  @Override
  public String style(int cpu) {
    Integer owner = owners.get(cpu);
    if (owner != null) {
      return style(occupancy.occupants().get(owner));
    }
    return occupancy.reserved().contains(cpu) ? "thread reserved" : "thread";
  }

  @Override
  public String mark(int cpu) {
    Integer owner = owners.get(cpu);
    if (owner != null) {
      return letters(owner);
    }
    return occupancy.reserved().contains(cpu) ? RESERVED : "";
  }

  @Override
  public String told(int cpu) {
    Integer owner = owners.get(cpu);
    if (owner != null) {
      return "; " + occupancy.occupants().get(owner).name();
    }
    String reserved = occupancy.reserved().contains(cpu) ? "; reserved" : "";
    return reserved + (occupancy.shared().contains(cpu) ? "; shared" : "");
  }

  @Override
  public int longestMark() {
    return letters(Math.max(occupancy.occupants().size() - 1, 0)).length();
  }

  @Override
  public List<String> heading() {
    List<String> heading = new ArrayList<>(List.of(Words.summary(machine)));
    heading.addAll(occupancy.heading());
    return heading;
  }

  @Override
  public List<SvgLegend> legends() {
    List<SvgLegend> legends = new ArrayList<>();
    legends.add(new SvgLegend(pools(), false));
    List<Swatch> keys = new ArrayList<>();
    for (int i = 0; i < occupancy.occupants().size(); i++) {
      Occupant occupant = occupancy.occupants().get(i);
      keys.add(new Swatch(style(occupant), letters(i), words(occupant)));
    }
    legends.add(new SvgLegend(keys, true));
    for (String remark : occupancy.remarks()) {
      Swatch key = new Swatch("", "", SvgPen.shortened(remark, LONGEST_REMARK));
      legends.add(new SvgLegend(List.of(key), false));
    }
    return legends;
  }

  private List<Swatch> pools() {
    List<Swatch> keys = new ArrayList<>(SvgLegend.PLACES);
    CpuSet reserved = occupancy.reserved();
    if (!reserved.isEmpty()) {
      boolean apart = !reserved.intersects(occupancy.shared());
      keys.add(
          new Swatch(
              "thread reserved", RESERVED, apart ? "reserved, not shared" : "reserved, shared"));
    }
    boolean free = !occupancy.shared().difference(reserved).isEmpty();
    keys.add(new Swatch("thread", "", free ? "free, shared" : "free: none"));
    return keys;
  }

  private static String words(Occupant occupant) {
    String cpus = SvgPen.shortened(Words.set(occupant.cpus()), LONGEST_SET);
    String beside = occupant.beside().isEmpty() ? "" : "; " + occupant.beside();
    return SvgPen.shortened(occupant.name(), LONGEST_NAME) + ": CPUs " + cpus + beside;
  }
}
