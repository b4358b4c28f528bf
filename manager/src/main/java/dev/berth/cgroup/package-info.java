/**
 * Control groups as a neighbour: what a container may run on and use, written into the kernel.
 *
 * <p>Everything lives below one group of our own, and a {@link dev.berth.cgroup.GroupPath} cannot
 * name anything outside it. The caller says what every group is to have ({@link
 * dev.berth.cgroup.Settings}); what differs is written, in an order that is legal for the kernel at
 * every moment: nested cpusets shrink from the leaves up and grow from the top down, and a CPU is
 * taken from its old owner before the new one gets it. Version 1 (a tree for each controller) and
 * version 2 (one tree) differ in file names and in how a group is made, and in nothing else here.
 *
 * {@snippet :
 * switch (Cgroups.detect("berth")) {
 *   case Detected.Unusable(String why) -> System.err.println(why);
 *   case Detected.Usable(Cgroups cgroups) -> {
 *     GroupPath web = GroupPath.of("pods", "web");
 *     Settings own = Settings.NONE.withCpus(CpuSet.of(2, 3)).withMems(NodeSet.of(0));
 *     Changes changes = cgroups.apply(new TreeMap<>(Map.of(web, own)));
 *     changes.failures().forEach(System.err::println); // a line each, none where all is well
 *     cgroups.joinFiles(web);                          // a process joins by writing 0 to each
 *   }
 * }
 * }
 *
 * <p>The rule of this package: the order of writes is decided by a pure function ({@code Planner})
 * and checked against a model of the kernel; a write that fails is a value and never an exception,
 * and nobody is given a CPU that could not be taken from its old owner. It imports nothing of
 * Berth's but sets of CPUs and nodes.
 */
@NullMarked
package dev.berth.cgroup;

import org.jspecify.annotations.NullMarked;
