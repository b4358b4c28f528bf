/**
 * Simulations: pods come to a machine and leave it, and nothing is touched.
 *
 * <p>A {@link dev.berth.simulate.Workload} says who comes when and how long they stay; it is read
 * from pods with annotations, from a kubelet's checkpoint or from a story ({@link
 * dev.berth.simulate.WorkloadReader}). A {@link dev.berth.simulate.Simulation} lets the engine
 * decide on each at its time and tells every step to whoever listens; what is left of it are {@link
 * dev.berth.simulate.Figures}. A {@link dev.berth.simulate.Comparison} does so under every
 * configuration that makes sense, and recommends one.
 *
 * {@snippet :
 * Workload workload = WorkloadReader.read("day.yaml", text, 1).workload();
 * Scenario scenario = new Scenario("a day", machine, settings, workload);
 * Simulation simulation = Simulation.of(scenario);
 * Figures figures = simulation.run(0, step -> {});
 * figures.admitted();
 * figures.nodeFragmentation().mean();
 * }
 *
 * <p>The rule of this package: time is a number in the workload. Nobody waits, nothing is random
 * but by its seed, and the same scenario always has the same story.
 */
@NullMarked
package dev.berth.simulate;

import org.jspecify.annotations.NullMarked;
