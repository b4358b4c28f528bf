package dev.berth.agent;

import dev.berth.workload.Container.Role;
import java.util.OptionalInt;

/** How far one container has come. Owned by its {@link PodLife}. */
final class ContainerLife {
  /** What a container is doing. */
  enum State {
    /** Its turn has not come, or it is about to be started again. */
    WAITING,
    /** Its turn has come, and device plugins prepare for it. */
    STARTING,
    /** It runs. */
    RUNNING,
    /** It has ended, and is not started again unless its restart policy says so. */
    ENDED
  }

  /** The exit code of one that ended unseen, as of a process killed by SIGKILL. */
  static final int UNSEEN = 137;

  private static final long FIRST_PAUSE = 10_000;
  private static final long LONGEST_PAUSE = 300_000;

  /** One that ran for so long has earned a fresh start. */
  private static final long LONG_RUN = 600_000;

  private final String name;
  private final Role role;
  private State state = State.WAITING;
  private OptionalInt code = OptionalInt.empty();
  private int attempt;
  private int failuresInARow;
  private long startedAt;
  private long notBefore;
  private boolean asked;
  private boolean heard;

  ContainerLife(String name, Role role) {
    this.name = name;
    this.role = role;
  }

  String name() {
    return name;
  }

  Role role() {
    return role;
  }

  State state() {
    return state;
  }

  /** How often it was started. */
  int attempt() {
    return attempt;
  }

  /** How it ended last; none for one that never has. */
  OptionalInt code() {
    return code;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean endedWell() {
    return state == State.ENDED && code.orElse(1) == 0;
  }

  /** When it may be started, in the loop's milliseconds. */
  long notBefore() {
    return notBefore;
  }

  /** Whether it was asked to stop already. */
  boolean isAsked() {
    return asked;
  }

  void ask() {
    asked = true;
  }

  /** Whether it had a process that could hear it, when it was asked or later. */
  boolean hasHeard() {
    return heard;
  }

  void hear() {
    heard = true;
  }

  /** When it was started last, in the loop's milliseconds. */
  long startedAt() {
    return startedAt;
  }

  /** Others prepare for its start. */
  void preparing() {
    state = State.STARTING;
  }

  /** All is ready: it is due again. */
  void prepared() {
    state = State.WAITING;
  }

  void started(long now) {
    state = State.RUNNING;
    attempt++;
    startedAt = now;
    asked = false;
    heard = false;
  }

  /** It was found running, after its {@code attempts}th start. */
  void found(int attempts, long now) {
    state = State.RUNNING;
    attempt = attempts;
    startedAt = now;
  }

  /** It was found to have ended, after its {@code attempts}th start. */
  void foundEnded(int attempts, int exitCode) {
    state = State.ENDED;
    attempt = attempts;
    code = OptionalInt.of(exitCode);
  }

  /** Its {@code attempts}th start was given up before it began. */
  void foundAbsent(int attempts) {
    attempt = attempts;
  }

  void ended(int exitCode, long now) {
    state = State.ENDED;
    code = OptionalInt.of(exitCode);
    failuresInARow = now - startedAt >= LONG_RUN ? 0 : failuresInARow;
  }

  /** It has ended, and nobody has told how. */
  void stopped() {
    state = State.ENDED;
  }

  /** To be started again: at once the first time, then after a pause that doubles. */
  void waitForNextStart(long now) {
    state = State.WAITING;
    notBefore = now + pause(failuresInARow);
    failuresInARow++;
  }

  static long pause(int failures) {
    if (failures == 0) {
      return 0;
    }
    return Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures - 1, 10));
  }
}
