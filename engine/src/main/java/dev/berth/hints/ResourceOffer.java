package dev.berth.hints;

/**
 * An offer and what it is for.
 *
 * @param resource the name that people know it by, for example {@code cpu}
 * @param offer from which nodes it could be given
 */
public record ResourceOffer(String resource, Offer offer) {}
