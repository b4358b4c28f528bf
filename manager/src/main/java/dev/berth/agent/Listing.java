package dev.berth.agent;

import dev.berth.agent.Reunion.Listed;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that a runtime has at one moment. Runtimes leave out what has ended, or what they have lost
 * sight of for a while, so not every absence means that somebody is gone.
 *
 * @param containers those that can be looked after, first come first
 * @param ids of all containers, also of those that cannot
 * @param sandboxes the ids of all sandboxes that have not stopped, as far as one can tell
 * @param pods the uids of their pods
 */
record Listing(List<Listed> containers, Set<String> ids, Set<String> sandboxes, Set<String> pods) {
  /** Takes copies. */
  Listing {
    containers = List.copyOf(containers);
    ids = Set.copyOf(ids);
    sandboxes = Set.copyOf(sandboxes);
    pods = Set.copyOf(pods);
  }

  /** Of a runtime that leaves out nothing that is there. */
  static Listing of(List<Listed> containers) {
    return new Listing(
        containers,
        containers.stream().map(one -> one.container().id()).collect(Collectors.toSet()),
        Set.of(),
        containers.stream().map(one -> one.container().podUid()).collect(Collectors.toSet()));
  }

  /**
   * Whether the sandbox in which a guest was refused is still there. No container tells of it. A
   * runtime that names no sandboxes names its pods.
   */
  boolean hasSandboxOf(Guest refused) {
    return sandboxes.contains(refused.container().sandbox())
        || (sandboxes.isEmpty() && pods.contains(refused.container().podUid()));
  }

  /** Whether a guest is still there, listed or not. */
  boolean has(Guest guest) {
    return ids.contains(guest.id())
        || sandboxes.contains(guest.container().sandbox())
        || guest.process().isPresent();
  }
}
