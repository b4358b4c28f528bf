package dev.berth.cli.watch;

import dev.berth.cpu.CpuSet;
import dev.berth.topology.Machine;
import java.util.ArrayList;
import java.util.List;

/** What an agent could have told. */
final class Scenes {
  private Scenes() {}

  /** Pods of four CPUs each, one refused and one that shares; CPU 0 is reserved. */
  static News.Seen crowded(Machine machine) {
    List<PodLine> pods = new ArrayList<>();
    CpuSet free = machine.cpus().difference(CpuSet.of(0));
    for (int i = 0; i < 30 && free.size() > 4; i++) {
      int[] ids = free.stream().limit(4).toArray();
      CpuSet own = CpuSet.of(ids);
      free = free.difference(own);
      pods.add(pod("matching-engine-" + i, own, "running", false));
    }
    pods.add(pod("guest", CpuSet.EMPTY, "running", false));
    pods.add(pod("late", CpuSet.EMPTY, "failed: TopologyAffinityError", true));
    return seen(machine, free.union(CpuSet.of(0)), pods);
  }

  static News.Seen seen(Machine machine, CpuSet shared, List<PodLine> pods) {
    return new News.Seen(
        machine,
        new Status(
            machine.name(),
            "static, none",
            machine.cpus(),
            shared,
            CpuSet.of(0),
            pods,
            "",
            List.of()),
        true,
        0);
  }

  static PodLine pod(String name, CpuSet own, String state, boolean isTroubled) {
    return new PodLine(name, name, "Guaranteed", own, own, List.of(), "0", state, isTroubled);
  }

  static News.Told told(int number, String message) {
    return new News.Told(number, "2026-01-02T03:04:05.678Z", "admitted", "web", message);
  }
}
