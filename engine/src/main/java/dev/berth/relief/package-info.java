/**
 * What would let a refused pod in: the fewest others that have to move, or the proof that no moving
 * helps.
 *
 * <p>A machine can have room enough and still refuse a pod, because the room is in pieces: six CPUs
 * free on each of two NUMA nodes are no eight on one. {@link dev.berth.relief.Relief} finds whom to
 * move, and {@link dev.berth.relief.NearMiss} tells how much each place lacks and who has it.
 *
 * <p>A plan is a set of those who are there, and an order: take them off, then let the refused pod
 * and them in again in that order. Everybody is let in by the node's own rules, tried on a
 * {@linkplain dev.berth.ledger.Node#copy copy}; so carrying it out ends exactly as it says. No plan
 * moves fewer pods, unless it says that not all of these were tried; among those that move as few,
 * one lets the refused pod in first if any does, then it moves the fewest CPUs, and then the first
 * by uid.
 *
 * {@snippet :
 * switch (Relief.search(node, residents, refused)) {
 *   case Relief.Plan plan -> plan.moves().forEach(System.out::println); // web: 4-7 -> 12-15
 *   case Relief.Impossible impossible -> System.out.println(impossible.proof().text());
 *   case Relief.Unknown unknown -> System.out.println("none with " + unknown.searchedUpTo());
 * }
 * }
 *
 * <p>The rule of this package: nothing is claimed that was not tried or proved. Bounds only rule
 * out what could not have worked.
 */
@NullMarked
package dev.berth.relief;

import org.jspecify.annotations.NullMarked;
