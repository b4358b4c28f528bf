package dev.berth.agent;

import dev.berth.ledger.Explanation;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What became of those who are not on the list any more, the latest of them: somebody may ask why
 * they were refused. On the loop only.
 */
final class Departed {
  /** How many are remembered. */
  static final int MOST = 256;

  /** How many of them with all that was known then, which is as large as the machine is full. */
  static final int MOST_EXPLAINED = 32;

  /**
   * One of them.
   *
   * @param namespace its namespace
   * @param name its name
   * @param title how people call it
   * @param request what it asked for
   * @param refused whether it never was in
   * @param reason why it was refused, or how it ended
   * @param why how the engine came to it, while that is kept
   */
  record One(
      String namespace,
      String name,
      String title,
      Pod request,
      boolean refused,
      String reason,
      Optional<Explanation> why) {
    private One forgetful() {
      return new One(namespace, name, title, request, refused, reason, Optional.empty());
    }

    private boolean isCalled(String called) {
      return called.equals(request.uid())
          || called.equals(title)
          || called.equals(namespace + "/" + name);
    }
  }

  private final List<One> latest = new ArrayList<>();

  void add(Resident resident) {
    boolean refused = resident.isRefused();
    String how =
        resident.life().reason().isEmpty()
            ? Descriptions.phase(resident.life().phase())
            : resident.life().reason();
    // One that waits for room is refused again and again.
    latest.removeIf(one -> one.request().uid().equals(resident.uid()));
    latest.addFirst(
        new One(
            resident.namespace(),
            resident.name(),
            resident.title(),
            resident.request(),
            refused,
            how,
            resident.why()));
    if (latest.size() > MOST_EXPLAINED) {
      latest.set(MOST_EXPLAINED, latest.get(MOST_EXPLAINED).forgetful());
    }
    if (latest.size() > MOST) {
      latest.removeLast();
    }
  }

  /** The latest of that name or uid. */
  Optional<One> find(String name) {
    return latest.stream().filter(one -> one.isCalled(name)).findFirst();
  }
}
