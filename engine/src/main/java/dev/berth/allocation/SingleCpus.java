package dev.berth.allocation;

/**
 * Takes single CPUs, filling cores that are already in use first.
 *
 * <p>Order: inner place by inner place (fewest free CPUs first), there by core (fewest free CPUs,
 * then lowest id), there by CPU.
 */
final class SingleCpus implements Rule {
  @Override
  public void take(Workspace work) {
    Layout layout = work.layout;
    Order order = work.orderInner();
    work.tellBegan("single CPUs, from the fullest cores first", order);
    for (int i = 0; i < order.count(); i++) {
      int[] cores = layout.coresOfInner[order.at(i)];
      // A core seen in its pass is used up unless that was all, so counting again finds the old
      // order.
      for (int threads = 1; threads <= layout.cores.largest; threads++) {
        for (int core : cores) {
          if (layout.freeInCore(work.free, core) == threads) {
            work.takeThreads(core);
            if (work.isSatisfied()) {
              return;
            }
          }
        }
      }
    }
  }
}
