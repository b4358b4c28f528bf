/**
 * Where a pod goes: the offers of all resources merged into one set of NUMA nodes.
 *
 * <p>A large machine is several small ones in a box. Each part, a <em>NUMA node</em>, has its own
 * CPUs, memory and slots; reaching into another one works but takes longer. So a pod should get its
 * CPUs, its memory and its network card from the same nodes, and from few. Each provider of a
 * resource knows only its own side: it <em>offers</em> the sets of nodes from which the resource
 * could come and marks the ones that are as narrow as they ever could be as <em>preferred</em>.
 * This package finds the one set on which all offers meet best.
 *
 * {@snippet :
 * Nodes nodes = Nodes.of(machine);
 * // 8 free CPUs are wanted; nodes 0 and 1 have 6 and 16 left.
 * Cover enough = Cover.of(nodes, nodes.all(), Demand.atLeast(8, 6, 16));
 * Offer cpus = Offer.family(enough, Preference.ofSize(1));
 * Offer card = Offer.listed(nodes, List.of(new Hint(Affinity.to(NodeSet.of(1)), true)));
 * Merged merged = new Restricted(TieBreak.LOWEST).merge(nodes, List.of(cpus, card));
 * merged.affinity(); // 1, preferred, admitted
 * }
 *
 * <h2>What a merge is</h2>
 *
 * <p>Take one hint from each offer in every possible way. Each such combination meets in the
 * intersection of its sets, and is preferred where all its hints are preferred and all its sets are
 * equal ("any" equals everything). The answer is the best of these pairs under one total order:
 *
 * <ol>
 *   <li>preferred ones first, among them those with the fewest nodes;
 *   <li>then, with n the largest of the offers' narrowest sizes, those of exactly n nodes, then of
 *       fewer, more before less, then of more, fewer before more;
 *   <li>among sets of one size the {@link dev.berth.hints.TieBreak}, which ends at the lowest set.
 * </ol>
 *
 * <p>An empty intersection never counts; where nothing else is left, the answer is all nodes, not
 * preferred. This is Kubernetes' answer (KEP-693), found there by walking through all combinations,
 * which takes seconds on 8 nodes and for ever on 34.
 *
 * <h2>How it is found here</h2>
 *
 * <p>The order splits the question in two. A preferred result needs equal sets: it is a set that
 * all offers share and prefer. Only where there is none do the others matter, and then every
 * combination is as unpreferred as the next: what is left to ask is which sets are intersections at
 * all. Offers are not listed for this but described ({@link dev.berth.hints.Cover}): "every set
 * with at least 8 free CPUs" is closed upwards, and so the sets shared by several covers are a
 * cover again, and an intersection X is reachable exactly where the nodes outside X can be spread
 * over the covers such that each can do without its share. Both are one search, which tries the
 * sets in their order and on ordinary machines walks straight to the answer. On few nodes, lists
 * become tables with one bit a set. {@code docs/merge.md} has the proofs, the bound and what
 * happens there.
 *
 * <p>The rule of this package: it decides nothing about how much is free, and places nothing.
 * Offers in, one answer out; equal input gives equal output, whatever the machine is busy with.
 */
@NullMarked
package dev.berth.hints;

import org.jspecify.annotations.NullMarked;
