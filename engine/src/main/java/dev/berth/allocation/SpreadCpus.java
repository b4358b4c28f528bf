package dev.berth.allocation;

/**
 * Takes single CPUs by number, socket by socket, without regard to cores: on machines that number
 * all first threads before the second ones this spreads over physical cores.
 *
 * <p>The rule of {@code distribute-cpus-across-cores}. Order: sockets (fewest free CPUs first, then
 * lowest id), there the lowest CPU.
 */
final class SpreadCpus implements Rule {
  @Override
  public void take(Workspace work) {
    Order order = work.orderSockets();
    work.tellBegan("single CPUs by number, across cores", order);
    for (int i = 0; i < order.count() && !work.isSatisfied(); i++) {
      work.takeLowest(work.layout.sockets, order.at(i));
    }
  }
}
