package dev.berth.testing;

import dev.berth.allocation.FeatureGates;
import dev.berth.allocation.FeatureGates.Gate;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Pod;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws who got which CPUs: a character a CPU, cores apart by a blank, caches by a bar, NUMA nodes
 * by two. {@code R} is reserved, a digit a pod, {@code -} free; refusals follow.
 */
public final class Drawing {
  private static final Pattern QUESTION =
      Pattern.compile(
          "(?<machine>[a-z0-9: ]+), reserved (?<reserved>[0-9,-]+), pods (?<pods>[0-9 ]+)");

  private final Machine machine;
  private final CpuSet reserved;
  private final int[] pods;

  private Drawing(Machine machine, CpuSet reserved, int[] pods) {
    this.machine = machine;
    this.reserved = reserved;
    this.pods = pods;
  }

  /** Whether a line asks for a drawing. */
  public static boolean isQuestion(String line) {
    return QUESTION.matcher(line).matches();
  }

  /** For a line such as {@code pack:1 l3:2 core:8 pu:1, reserved 0-1, pods 4 4 4}. */
  public static Drawing of(String question) {
    Matcher matcher = QUESTION.matcher(question);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(question);
    }
    return new Drawing(
        Machines.parse(matcher.group("machine")),
        CpuSet.parse(matcher.group("reserved")),
        Arrays.stream(matcher.group("pods").strip().split(" +", -1))
            .mapToInt(Integer::parseInt)
            .toArray());
  }

  /** What the options lead to; {@code packed} for none, several joined by {@code +}. */
  public String with(String options) {
    FeatureGates gates = FeatureGates.DEFAULTS.with(Gate.CPU_MANAGER_POLICY_ALPHA_OPTIONS, true);
    Configuration configuration = Configuration.staticPolicy(reserved);
    for (String option : options.split(" \\+ ", -1)) {
      if (option.equals(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN.kubernetesName())) {
        gates = gates.with(Gate.CPU_MANAGER_UNCORE_CACHE_ALIGN, true);
      } else if (!option.equals("packed")) {
        configuration = configuration.withOption(option, "true");
      }
    }
    return drawn(Node.start(machine, configuration.with(gates)));
  }

  private String drawn(Node node) {
    char[] marks = new char[machine.cpus().last() + 1];
    Arrays.fill(marks, '-');
    node.reserved().forEach(cpu -> marks[cpu] = 'R');
    StringBuilder refusals = new StringBuilder();
    for (int i = 0; i < pods.length; i++) {
      char mark = (char) ('1' + i);
      switch (node.admit(Pod.guaranteed("pod-" + (i + 1), pods[i]))) {
        case Decision.Granted granted ->
            granted.cpus().values().forEach(cpus -> cpus.forEach(cpu -> marks[cpu] = mark));
        case Decision.Refused refused ->
            refusals
                .append("  ")
                .append(mark)
                .append(": ")
                .append(refused.reason().kubernetesName());
      }
    }
    return picture(marks) + refusals;
  }

  private String picture(char[] marks) {
    StringBuilder picture = new StringBuilder();
    int cache = -1;
    int node = -1;
    for (Domain core : machine.domains(Level.CORE)) {
      int hereCache = machine.indexOf(Level.CACHE, core.id());
      int hereNode = machine.indexOf(Level.NODE, core.id());
      if (picture.length() > 0) {
        picture.append(hereNode != node ? " || " : hereCache != cache ? " | " : " ");
      }
      core.cpus().forEach(cpu -> picture.append(marks[cpu]));
      cache = hereCache;
      node = hereNode;
    }
    return picture.toString();
  }
}
