package dev.berth.agent;

import dev.berth.ledger.Explanation;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A pod that the agent knows: what it is, how far it has come, why it sits where it sits. */
abstract sealed class Resident permits Tenant, Guest {
  private final String namespace;
  private final String name;
  private final Pod request;
  private final Origin origin;
  private final PodLife life;
  private Optional<Explanation> why = Optional.empty();
  private Optional<String> displaced = Optional.empty();
  private boolean refused;

  Resident(String namespace, String name, Pod request, Origin origin, PodLife life) {
    this.namespace = namespace;
    this.name = name;
    this.request = request;
    this.origin = origin;
    this.life = life;
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  /** What the engine decides on. */
  Pod request() {
    return request;
  }

  String uid() {
    return request.uid();
  }

  /** How people call it: its name, with the namespace where that is not the default one. */
  String title() {
    return title(namespace, name);
  }

  static String title(String namespace, String name) {
    return namespace.equals("default") ? name : namespace + "/" + name;
  }

  /** What stands for its uid where people read. */
  String label() {
    return title();
  }

  boolean isCalled(String called) {
    return called.equals(title()) || called.equals(namespace + "/" + name);
  }

  Origin origin() {
    return origin;
  }

  PodLife life() {
    return life;
  }

  /** What it asks of CPUs of its own. */
  abstract Set<CpuWish> wishes();

  /** Those of its containers that need a place now. */
  List<ContainerLife> placed() {
    return life.containers().stream().filter(life::needsPlace).toList();
  }

  /** It is over before it began. */
  void refuse(String line) {
    refused = true;
    life.over(PodLife.Phase.FAILED, line);
  }

  /** Whether it never was in. */
  boolean isRefused() {
    return refused;
  }

  Optional<Explanation> why() {
    return why;
  }

  void explain(Explanation explanation) {
    why = Optional.of(explanation);
  }

  /** Why it runs on the shared pool although it is owed CPUs of its own, where it does. */
  Optional<String> displaced() {
    return displaced;
  }

  void displaced(Optional<String> because) {
    displaced = because;
  }
}
