package dev.berth.relief;

/** Why no moving of others lets a pod in. */
public sealed interface Proof {
  /** One line for a person. */
  String text();

  /**
   * It fits on no machine like this one, not even on an empty one.
   *
   * @param text which bound it breaks
   */
  record NeverFits(String text) implements Proof {}

  /**
   * There is too little in all: moving makes no more of it.
   *
   * @param resource {@code cpu}, a kind of memory, or a device's resource
   * @param asked what the pod asks for; memory in bytes
   * @param free what nobody has
   */
  record TooLittle(String resource, long asked, long free) implements Proof {
    @Override
    public String text() {
      return "it asks for "
          + Amounts.of(resource, asked)
          + " and "
          + Amounts.of(resource, free)
          + (free == 1 && resource.equals("cpu") ? " is" : " are")
          + " free on the whole machine: moving others makes no more, somebody has to leave";
    }
  }

  /**
   * However all are placed, a NUMA node too few has room for one of this size.
   *
   * @param size CPUs that have to be on one node
   * @param wanted how many ask for at least so many, this one included
   * @param room how many of them the nodes have room for
   */
  record TooManyLarge(int size, int wanted, int room) implements Proof {
    @Override
    public String text() {
      return wanted
          + (wanted == 1 ? " container of " : " containers of ")
          + size
          + " CPUs or more would have to be within one NUMA node each, and the nodes have room for "
          + room
          + " in any arrangement";
    }
  }

  /**
   * Every set of pods was tried in every order, or ruled out.
   *
   * @param movable how many pods there are that could move
   */
  record Exhausted(int movable) implements Proof {
    @Override
    public String text() {
      return movable == 0
          ? "there is nobody who could move"
          : "every choice among the "
              + movable
              + (movable == 1 ? " pod" : " pods")
              + " that could move was tried in every order, or ruled out";
    }
  }
}
