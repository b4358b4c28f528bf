/**
 * Measurements of Berth, for those who change it: benchmarks of the hot paths by JMH, what a first
 * discovery, a durable admission and the search for whom to move take, and the report that sets all
 * of it beside Kubernetes.
 *
 * <p>The named workloads are the product's own ({@link dev.berth.bench.Workloads}); here they are
 * only run another way.
 *
 * {@snippet :
 * // java -jar bench/target/berth-bench-*.jar Choosing -prof gc
 * Benchmarks.main("Choosing", "-prof", "gc");
 * }
 *
 * <p>The rule of this package: nothing of it is part of the product, and every figure of the report
 * comes from a run, never from a hand.
 */
@NullMarked
package dev.berth.measure;

import org.jspecify.annotations.NullMarked;
