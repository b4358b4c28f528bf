package dev.berth.ledger;

/**
 * What speaks against a pod that the managers admit.
 *
 * @param reason one word, Kubernetes' own where it has one
 * @param message one line
 */
public record Objection(String reason, String message) {}
