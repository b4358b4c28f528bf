package dev.berth.relief;

/** CPUs that have to be on one NUMA node, as something to be packed. */
final class Item {
  private final int cpus;
  private final boolean[] near;
  private final boolean lasting;

  /**
   * An item.
   *
   * @param near which nodes suit, by position
   * @param lasting whether nobody of its pod uses these CPUs again
   */
  Item(int cpus, boolean[] near, boolean lasting) {
    this.cpus = cpus;
    this.near = near;
    this.lasting = lasting;
  }

  int cpus() {
    return cpus;
  }

  boolean isLasting() {
    return lasting;
  }

  boolean suits(int position) {
    return near[position];
  }

  /** The first node from there on that suits and has room; -1 where none does. */
  int fit(int[] room, int from) {
    for (int at = from; at < room.length; at++) {
      if (near[at] && room[at] >= cpus) {
        return at;
      }
    }
    return -1;
  }
}
