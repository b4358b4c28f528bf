package dev.berth.simulate;

import dev.berth.ledger.Configuration;

/**
 * A configuration that is compared with others.
 *
 * @param label a few words, as short as a table needs them, and its own in a comparison
 * @param configuration the configuration
 */
public record Candidate(String label, Configuration configuration) {}
