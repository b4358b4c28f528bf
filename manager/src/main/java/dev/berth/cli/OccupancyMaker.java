package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.render.Occupancy;
import dev.berth.render.Occupancy.Occupant;
import dev.berth.simulate.Scenario;
import dev.berth.simulate.Visitor;
import dev.berth.story.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a picture of a simulated machine shows: who is there at the end, and who was refused. */
final class OccupancyMaker {
  private static final int REFUSALS = 6;

  private final Scenario scenario;
  private final List<String> refusals = new ArrayList<>();
  private int refused;

  OccupancyMaker(Scenario scenario) {
    this.scenario = scenario;
  }

  /** Keeps of the steps what is shown. */
  void hear(Step step) {
    if (step.kind() == Step.Kind.REFUSED && ++refused <= REFUSALS) {
      Visitor visitor = scenario.workload().visitors().get(step.pod().orElseThrow());
      refusals.add("refused: " + visitor.told().name() + ": " + step.reason());
    }
  }

  Occupancy occupancy(Node node) {
    SortedMap<String, Holding> holdings = Holding.all(node);
    List<Occupant> occupants = new ArrayList<>();
    for (Visitor visitor : scenario.workload().visitors()) {
      Holding holding = holdings.get(visitor.pod().uid());
      if (holding != null) {
        occupants.addAll(of(visitor, holding));
      }
    }
    List<String> remarks = new ArrayList<>(refusals);
    if (refused > REFUSALS) {
      remarks.add("and " + (refused - REFUSALS) + " more refused");
    }
    List<String> heading = List.of(scenario.title(), rules());
    return new Occupancy(heading, node.reserved(), node.shared(), occupants, remarks);
  }

  private String rules() {
    Configuration configuration = scenario.settings().configuration();
    StringBuilder rules = new StringBuilder(SimulationText.described(configuration));
    for (Map.Entry<String, String> option :
        new TreeMap<>(configuration.topology().options()).entrySet()) {
      rules.append(", ").append(option.getKey()).append('=').append(option.getValue());
    }
    if (configuration.memory().policy() == MemorySettings.Policy.STATIC) {
      rules.append(", memory policy Static");
    }
    return rules.toString();
  }

  private static List<Occupant> of(Visitor visitor, Holding holding) {
    String pod = visitor.told().name();
    String uid = visitor.pod().uid();
    boolean several = visitor.pod().containers().size() > 1;
    List<Occupant> occupants = new ArrayList<>();
    CpuSet shared = holding.budget();
    for (String container : holding.cpus().keySet()) {
      CpuSet cpus = holding.cpus().get(container);
      shared = shared.difference(cpus);
      String name = several ? pod + "/" + container : pod;
      String memory = words(holding.memory().getOrDefault(container, List.of()));
      occupants.add(new Occupant(uid, name, cpus, memory));
    }
    if (!shared.isEmpty()) {
      String memory = words(holding.memoryBudget());
      occupants.add(new Occupant(uid, pod + ", its other containers", shared, memory));
    }
    return occupants;
  }

  private static String words(List<MemoryBlock> blocks) {
    return blocks.stream()
        .map(block -> size(block) + " on node " + block.nodes())
        .collect(Collectors.joining(", "));
  }

  private static String size(MemoryBlock block) {
    long mebibytes = block.size() >> 20;
    String amount = mebibytes % 1024 == 0 ? (mebibytes >> 10) + " GiB" : mebibytes + " MiB";
    return block.type().equals("memory") ? amount : amount + " of " + block.type();
  }
}
