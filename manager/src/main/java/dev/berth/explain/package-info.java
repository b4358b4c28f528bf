/**
 * Why a pod sits where it sits, or why it was or would be refused, and what would help: for a
 * person who has never heard of NUMA, and for programs.
 *
 * <p>The engine knows the steps, the moves and the near misses; this package puts them in the order
 * in which somebody wants to read them: one sentence first, then what to do, then how close it was,
 * then every step. It decides nothing by itself and changes nothing: a {@link
 * dev.berth.explain.Scene} holds a copy of the node.
 *
 * {@snippet :
 * Scene scene = new Scene(node.copy(), residents, Map.of("default_db", "db"));
 * Report report = Explainer.wouldBe(scene, "web", pod, Objections.NONE);
 * ReportText.lines(report).forEach(System.out::println); // web would be refused: …
 * ReportJson.of(report); // {"name":"web","decision":"refused",…}
 * }
 *
 * <p>The rule of this package: whatever it says would help was tried on the copy, and what is
 * guessed from where somebody sits now is said to be so.
 */
@NullMarked
package dev.berth.explain;

import org.jspecify.annotations.NullMarked;
