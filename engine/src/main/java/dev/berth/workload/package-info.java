/**
 * Workloads: pods, their containers and what they ask for, as Kubernetes reads them.
 *
 * <p>A {@link dev.berth.workload.Pod} tells everything that a decision needs to know of it: the
 * order of its containers, which of them run at once, its {@link dev.berth.workload.QosClass}, and
 * how many CPUs of its own each container is owed.
 *
 * {@snippet :
 * var amounts = Map.of("cpu", Quantity.parse("2"), "memory", Quantity.parse("1Gi"));
 * var app = new Container("app", Container.Role.APP, Resources.guaranteed(amounts));
 * Pod pod = Pod.of("web-1", List.of(app));
 * pod.exclusiveCpus(app); // 2
 * }
 *
 * <p>The rule of this package: it knows no machine.
 */
@NullMarked
package dev.berth.workload;

import org.jspecify.annotations.NullMarked;
