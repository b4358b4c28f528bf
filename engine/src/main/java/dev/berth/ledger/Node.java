package dev.berth.ledger;

import dev.berth.allocation.Chooser;
import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The CPUs of one machine and who has them: pods in, decisions out.
 *
 * <p>Start one on a machine with a configuration, {@link #admit} pods and {@link #remove} them. The
 * {@link Rules} hold after every call; a refused pod leaves no trace; removing undoes admitting;
 * admitting a pod that is in already changes nothing. Nothing here reads a clock, a file or chance:
 * the same calls always have the same outcome.
 *
 * <p>Not safe for several threads: one thread calls, or callers take turns. What the calls return
 * is immutable and may go anywhere.
 */
public final class Node {
  private final Machine machine;
  private final Configuration configuration;
  private final @Nullable StaticPolicy policy;
  private final @Nullable Chooser chooser;
  private final Map<String, Map<String, CpuSet>> exclusive = new HashMap<>();
  private CpuSet shared;

  private Node(Machine machine, Configuration configuration) {
    this.machine = machine;
    this.configuration = configuration;
    policy =
        switch (configuration.cpuPolicy()) {
          case NONE -> null;
          case STATIC -> new StaticPolicy(machine, configuration);
        };
    chooser = policy == null ? null : policy.chooser();
    shared = policy == null ? CpuSet.EMPTY : policy.wholePool();
  }

  /**
   * Starts with nobody on it.
   *
   * @throws InvalidInputException where the configuration cannot work on this machine
   */
  public static Node start(Machine machine, Configuration configuration) {
    return new Node(machine, configuration);
  }

  /**
   * Starts where another left off.
   *
   * @param before who had which CPUs
   * @throws InvalidInputException where the configuration cannot work on this machine, or the
   *     assignments break a rule on it
   */
  public static Node start(Machine machine, Configuration configuration, Assignments before) {
    Node node = new Node(machine, configuration);
    node.restore(before);
    return node;
  }

  private void restore(Assignments before) {
    if (before.policy() != configuration.cpuPolicy()) {
      throw new InvalidInputException(
          "assignments: expected those of policy "
              + configuration.cpuPolicy().kubernetesName()
              + ", found those of "
              + before.policy().kubernetesName());
    }
    if (policy == null || (before.shared().isEmpty() && before.exclusive().isEmpty())) {
      return;
    }
    List<String> broken = policy.rules().broken(before, List.of());
    if (!broken.isEmpty()) {
      throw new InvalidInputException(
          "assignments: expected none broken, found " + broken.getFirst());
    }
    shared = before.shared();
    before.exclusive().forEach((pod, containers) -> exclusive.put(pod, containers));
  }

  /** Decides on a pod, and if it is let in, gives its containers their CPUs. */
  public Decision admit(Pod pod) {
    if (policy == null || chooser == null) {
      return new Decision.Granted(Map.of(), new Explanation(Node::explainNone));
    }
    Map<String, CpuSet> held = exclusive.getOrDefault(pod.uid(), Map.of());
    CpuSet before = shared;
    Admission admission = new Admission(policy, chooser, pod, held, before, Trace.OFF);
    Admission.Refusal refusal = admission.run();
    if (refusal == null) {
      Map<String, CpuSet> granted = Collections.unmodifiableMap(admission.granted());
      shared = admission.shared();
      if (!granted.isEmpty()) {
        exclusive.put(pod.uid(), granted);
      }
      return new Decision.Granted(granted, why(policy, pod, held, before, null));
    }
    remove(pod.uid());
    Explanation why = why(policy, pod, held, before, assignments());
    return new Decision.Refused(refusal.reason(), refusal.message(), why);
  }

  private static List<Step> explainNone() {
    return List.of(new Step.Asked("policy none: every container runs wherever the kernel likes"));
  }

  private static Explanation why(
      StaticPolicy policy,
      Pod pod,
      Map<String, CpuSet> held,
      CpuSet before,
      @Nullable Assignments others) {
    return new Explanation(() -> {
      Trace trace = Trace.recording();
      Admission.Refusal refusal =
          new Admission(policy, policy.chooser(), pod, held, before, trace).run();
      if (refusal != null && others != null) {
        trace.add(new Step.Asked("refused: " + refusal.reason().kubernetesName()));
        Holders.tell(trace, policy, others);
      }
      return trace.steps();
    });
  }

  /**
   * Gives back all that a pod has.
   *
   * @return whether it had anything
   */
  public boolean remove(String uid) {
    Map<String, CpuSet> held = exclusive.remove(uid);
    if (held == null) {
      return false;
    }
    for (CpuSet cpus : held.values()) {
      shared = shared.union(cpus);
    }
    return true;
  }

  /** Who has which CPUs now. */
  public Assignments assignments() {
    return Assignments.of(configuration.cpuPolicy(), shared, exclusive);
  }

  /** The CPUs of a container that has some of its own. */
  public Optional<CpuSet> cpusOf(String pod, String container) {
    return Optional.ofNullable(exclusive.getOrDefault(pod, Map.of()).get(container));
  }

  /** SHARED: where containers without CPUs of their own run; all CPUs under policy none. */
  public CpuSet shared() {
    return policy == null ? machine.cpus() : shared;
  }

  /** RESERVED: kept back for the system; in the shared pool unless the reservation is strict. */
  public CpuSet reserved() {
    return policy == null ? CpuSet.EMPTY : policy.reserved;
  }

  /** ASSIGNABLE: what can still be given to one container alone. */
  public CpuSet assignable() {
    return policy == null ? CpuSet.EMPTY : shared.difference(policy.reserved);
  }

  /** EXCLUSIVE: what has been given to one container alone. */
  public CpuSet exclusive() {
    CpuSet all = CpuSet.EMPTY;
    for (Map<String, CpuSet> containers : exclusive.values()) {
      for (CpuSet cpus : containers.values()) {
        all = all.union(cpus);
      }
    }
    return all;
  }

  /** The rules that its assignments keep; none under policy none. */
  public Optional<Rules> rules() {
    return Optional.ofNullable(policy).map(StaticPolicy::rules);
  }

  /** The machine it was started on. */
  public Machine machine() {
    return machine;
  }

  /** The configuration it was started with. */
  public Configuration configuration() {
    return configuration;
  }

  /** What a person should know: options without effect on this machine, a line each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(machine.notes());
    if (policy != null) {
      notes.addAll(policy.notes());
    }
    return List.copyOf(notes);
  }
}
