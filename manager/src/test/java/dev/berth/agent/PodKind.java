package dev.berth.agent;

import java.util.Locale;

/** The pods of the churn. */
enum PodKind {
  /** One CPU of its own; where none is left, it is refused. */
  ALONE("{limits: {cpu: 1, memory: 64Mi}}", "[sleep, '1000']", ""),
  SHARED("{}", "[sleep, '1000']", ""),
  /** An init container with CPUs of its own before one on the same CPUs. */
  STAGED(
      "{limits: {cpu: 1, memory: 64Mi}}",
      "[sleep, '1000']",
      "\n  initContainers: [{name: first, command: [sleep, '0.05'],"
          + " resources: {limits: {cpu: 1, memory: 64Mi}}}]"),
  RESTARTING("{requests: {cpu: 100m}}", "[sh, -c, 'sleep 0.3; exit 1']", ""),
  ENDING("{}", "[sh, -c, 'sleep 0.2; exit 3']", "\n  restartPolicy: Never"),
  /** Never fits. */
  HUGE("{limits: {cpu: 4000, memory: 64Mi}}", "[sleep, '1000']", ""),
  /** Several CPUs, for a larger machine. */
  WIDE("{limits: {cpu: 6, memory: 64Mi}}", "[sleep, '1000']", "");

  private final String resources;
  private final String command;
  private final String more;

  PodKind(String resources, String command, String more) {
    this.resources = resources;
    this.command = command;
    this.more = more;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether its container has CPUs that nobody else has. */
  boolean isExclusive() {
    return resources.contains("limits");
  }

  /** Whether its first process stays until it is told to end. */
  boolean stays() {
    return command.startsWith("[sleep");
  }

  String yaml(String name) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:%s
      terminationGracePeriodSeconds: 3
      containers:
      - {name: app, resources: %s, command: %s}
    """
        .formatted(name, more, resources, command);
  }
}
