package dev.berth.allocation;

/**
 * Takes whole cores while at least one's worth of CPUs is needed.
 *
 * <p>Order: inner place by inner place (fewest free CPUs first), and there by core id. A core
 * counts as whole where it has as many CPUs as the machine's rounded-down average, as upstream has
 * it, so on a machine with uneven cores the others are left to {@link SingleCpus}.
 */
final class WholeCores implements Rule {
  @Override
  public void take(Workspace work) {
    Layout layout = work.layout;
    Places cores = layout.cores;
    if (work.needed() < cores.smallest) {
      return;
    }
    Order order = work.orderInner();
    work.tellBegan("whole cores", order);
    for (int i = 0; i < order.count(); i++) {
      for (int core : layout.coresOfInner[order.at(i)]) {
        if (work.needed() < cores.smallest) {
          return;
        }
        if (cores.sizes[core] == cores.average
            && cores.average <= work.needed()
            && layout.freeInCore(work.free, core) == cores.average) {
          work.takeThreads(core);
        }
      }
    }
  }
}
