package dev.berth.agent;

import java.util.List;

/** Those who are owed CPUs of their own. */
final class Displaced {
  private Displaced() {}

  /**
   * Who runs on the shared pool although there is room, with a CPU left for the others. On the
   * loop.
   */
  static List<String> thoughTheyFit(Agent agent) {
    return ((Guests) agent.household())
        .residents().all().stream()
            .filter(guest -> guest.displaced().isPresent() && !guest.placed().isEmpty())
            .filter(guest -> guest.exclusiveCpus() < agent.node().assignable().size())
            .map(Guest::uid)
            .toList();
  }
}
