package dev.berth.hints;

/**
 * One way in which a resource could be given: from these nodes, and whether that is as good as it
 * gets.
 *
 * @param affinity the nodes it would come from
 * @param preferred whether no narrower set of nodes could ever do, were the machine empty
 */
public record Hint(Affinity affinity, boolean preferred) {}
