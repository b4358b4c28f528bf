package dev.berth.cgroup;

import dev.berth.cpu.InvalidInputException;

/** How much of something a group may use. */
public sealed interface Limit {
  /** As much as there is. */
  static Limit unlimited() {
    return new Unlimited();
  }

  /** So many bytes. */
  static Limit of(long bytes) {
    return new Bytes(bytes);
  }

  /** This limit as the kernel keeps it, in whole pages. */
  default Limit wholePages(long pageSize) {
    return switch (this) {
      case Unlimited unlimited -> unlimited;
      case Bytes(long bytes) -> new Bytes(bytes - bytes % pageSize);
    };
  }

  /** As much as there is. */
  record Unlimited() implements Limit {}

  /**
   * At most so much.
   *
   * @param bytes 0 or more
   */
  record Bytes(long bytes) implements Limit {
    public Bytes {
      if (bytes < 0) {
        throw new InvalidInputException("cgroup limit: expected 0 bytes or more, found " + bytes);
      }
    }
  }
}
