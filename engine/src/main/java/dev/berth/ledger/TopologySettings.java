package dev.berth.ledger;

import dev.berth.allocation.Truth;
import dev.berth.cpu.InvalidInputException;
import dev.berth.hints.BestEffort;
import dev.berth.hints.Restricted;
import dev.berth.hints.SingleNumaNode;
import dev.berth.hints.TieBreak;
import dev.berth.hints.TopologyPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The topology manager's settings.
 *
 * @param policy what is done where resources cannot be had from the same NUMA nodes
 * @param scope whether containers or whole pods are placed together
 * @param options the policy's options by name, as text
 */
public record TopologySettings(Policy policy, Scope scope, Map<String, String> options) {
  /** Nothing is aligned. */
  public static final TopologySettings NONE =
      new TopologySettings(Policy.NONE, Scope.CONTAINER, Map.of());

  private static final String PREFER_CLOSEST = "prefer-closest-numa-nodes";
  private static final String MOST_NODES = "max-allowable-numa-nodes";

  /** Kubernetes' own limit, below which it does not let the option go. */
  private static final int LEAST_MOST_NODES = 8;

  /** What is done about alignment, by Kubernetes' names. */
  public enum Policy {
    /** Nothing. */
    NONE("none"),
    /** The best place there is, and every pod. */
    BEST_EFFORT("best-effort"),
    /** The best place, if it is as good as it gets; otherwise the pod is refused. */
    RESTRICTED("restricted"),
    /** One NUMA node for everything; otherwise the pod is refused. */
    SINGLE_NUMA_NODE("single-numa-node");

    private final String kubernetesName;

    Policy(String kubernetesName) {
      this.kubernetesName = kubernetesName;
    }

    /** The name in configuration files. */
    public String kubernetesName() {
      return kubernetesName;
    }

    /** The policy of that name. */
    public static Policy named(String name) {
      for (Policy policy : values()) {
        if (policy.kubernetesName.equals(name)) {
          return policy;
        }
      }
      throw new InvalidInputException(
          "topologyManagerPolicy: expected none, best-effort, restricted or single-numa-node,"
              + " found \""
              + name
              + "\"");
    }
  }

  /** What is placed together. */
  public enum Scope {
    /** Every container for itself. */
    CONTAINER,
    /** All containers of a pod. */
    POD;

    /** The name in configuration files. */
    public String kubernetesName() {
      return switch (this) {
        case CONTAINER -> "container";
        case POD -> "pod";
      };
    }

    /** The scope of that name. */
    public static Scope named(String name) {
      return switch (name) {
        case "container" -> CONTAINER;
        case "pod" -> POD;
        default ->
            throw new InvalidInputException(
                "topologyManagerScope: expected container or pod, found \"" + name + "\"");
      };
    }
  }

  /** Takes a copy. Options are read when a node starts, and then only if the policy is not none. */
  public TopologySettings {
    options = Map.copyOf(options);
  }

  /**
   * These settings, if every option is known and has a value that it can have; a node that starts
   * with policy none does not ask.
   *
   * @throws InvalidInputException naming the option, what was expected and what was found
   */
  public TopologySettings checked() {
    new TreeMap<>(options).forEach(TopologySettings::check);
    return this;
  }

  private static void check(String name, String value) {
    switch (name) {
      case PREFER_CLOSEST -> Truth.of("topologyManagerPolicyOptions", name, value);
      case MOST_NODES -> {
        if (!value.matches("[0-9]{1,9}") || Integer.parseInt(value) < LEAST_MOST_NODES) {
          throw new InvalidInputException(
              "topologyManagerPolicyOptions: "
                  + name
                  + ": expected a number from "
                  + LEAST_MOST_NODES
                  + ", found \""
                  + value
                  + "\"");
        }
      }
      default ->
          throw new InvalidInputException(
              "topologyManagerPolicyOptions: expected "
                  + PREFER_CLOSEST
                  + " or "
                  + MOST_NODES
                  + ", found \""
                  + name
                  + "\"");
    }
  }

  /** The merge that the policy asks for; none under policy none. */
  Optional<TopologyPolicy> merge() {
    if (policy == Policy.NONE) {
      return Optional.empty();
    }
    checked();
    boolean closest =
        Truth.of(
            "topologyManagerPolicyOptions",
            PREFER_CLOSEST,
            options.getOrDefault(PREFER_CLOSEST, "false"));
    TieBreak tieBreak = closest ? TieBreak.CLOSEST : TieBreak.LOWEST;
    return switch (policy) {
      case NONE -> Optional.empty();
      case BEST_EFFORT -> Optional.of(new BestEffort(tieBreak));
      case RESTRICTED -> Optional.of(new Restricted(tieBreak));
      case SINGLE_NUMA_NODE -> Optional.of(new SingleNumaNode());
    };
  }
}
