package dev.berth.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.Lock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A client whose pods come and go, and who remembers what it was promised. It asks only while it
 * holds a lock, so that others can look at a moment when nobody asks.
 */
final class Lodger implements Runnable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MOST = 5;

  /** What was heard about a pod. */
  enum Word {
    /** It was asked for, and the agent died before it answered. */
    ASKED,
    IN,
    OUT,
    /** It is to go, and the agent died before it answered. */
    LEAVING,
    GONE
  }

  /** A pod and what its owner heard about it. */
  static final class Lease {
    final String name;
    final PodKind kind;
    volatile Word word = Word.ASKED;

    /** Its first process, once it was seen; 0 before. */
    volatile long pid;

    Lease(String name, PodKind kind) {
      this.name = name;
      this.kind = kind;
    }

    @Override
    public String toString() {
      return name + " (" + word + ")";
    }
  }

  private final RealAgent agent;
  private final String name;
  private final List<PodKind> kinds;
  private final Lock asking;
  private final Random random;
  private final List<Lease> leases = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private volatile boolean over;
  private int count;
  private int granted;

  Lodger(RealAgent agent, String name, List<PodKind> kinds, Lock asking, long seed) {
    this.agent = agent;
    this.name = name;
    this.kinds = kinds;
    this.asking = asking;
    random = new Random(seed);
  }

  @Override
  public void run() {
    while (!over) {
      asking.lock();
      try {
        if (!over) {
          step();
        }
      } finally {
        asking.unlock();
      }
      pause(random.nextInt(30));
    }
  }

  private static void pause(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void step() {
    synchronized (leases) {
      leases.removeIf(lease -> lease.word == Word.GONE);
    }
    if (leases.size() < MOST && random.nextInt(10) < 6) {
      ask();
    } else if (!leases.isEmpty()) {
      leave(leases.get(random.nextInt(leases.size())));
    }
  }

  private void ask() {
    PodKind kind = kinds.get(random.nextInt(kinds.size()));
    Lease lease = new Lease(name + "-" + kind.word() + "-" + ++count, kind);
    synchronized (leases) {
      leases.add(lease);
    }
    try {
      JsonNode answer = MAPPER.readTree(agent.ask("POST", "/pods", kind.yaml(lease.name)));
      lease.word =
          answer.path("pods").path(0).path("outcome").asString().equals("admitted")
              ? Word.IN
              : Word.OUT;
      granted += lease.word == Word.IN ? 1 : 0;
    } catch (IOException | JacksonException e) {
      // The agent is dead, or was so before its answer was whole: what it did will be seen.
      return;
    }
  }

  private void leave(Lease lease) {
    Word before = lease.word;
    lease.word = Word.LEAVING;
    try {
      String answer = agent.ask("DELETE", "/pods/" + lease.name, "");
      if (answer.equals("removed\n")) {
        lease.word = Word.GONE;
      } else if (answer.contains("expected one that is here")) {
        lease.word = Word.GONE;
        if (before == Word.IN || before == Word.OUT) {
          complaints.add(lease.name + " was " + before + " and the agent forgot it: " + answer);
        }
      }
    } catch (IOException e) {
      // As above.
      return;
    }
  }

  void end() {
    over = true;
  }

  List<Lease> leases() {
    synchronized (leases) {
      return List.copyOf(leases);
    }
  }

  List<String> complaints() {
    return complaints;
  }

  int granted() {
    return granted;
  }
}
