/**
 * Metrics: numbers that others collect, in the text format 0.0.4 of Prometheus.
 *
 * <p>A {@link dev.berth.observe.Registry} holds families, each with a name, a sentence and the
 * names of its labels: {@link dev.berth.observe.Counter}, {@link dev.berth.observe.Gauge}, {@link
 * dev.berth.observe.Histogram}. A family without labels is there from the start with 0; one with
 * labels has a line for each combination that was ever used.
 *
 * {@snippet :
 * Registry registry = new Registry();
 * Counter refused = registry.counter("berth_refused_total", "Pods refused.", "reason");
 * Histogram took = registry.histogram("berth_took_seconds", "Time.", List.of(0.001, 0.01, 0.1));
 * refused.add(1, "StateUnwritable");
 * took.observe(0.004);
 * registry.text(); // # HELP, # TYPE, berth_refused_total{reason="StateUnwritable"} 1 ...
 * }
 *
 * <p>The rule of this package: it knows nothing of what is counted. For one thread, or for several
 * that take turns.
 */
@NullMarked
package dev.berth.observe;

import org.jspecify.annotations.NullMarked;
