package dev.berth.ledger;

import dev.berth.allocation.Step;
import dev.berth.allocation.Trace;
import dev.berth.workload.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells who holds the devices that a refused pod asked for. */
final class DeviceHolders {
  private static final int LISTED = 8;

  private DeviceHolders() {}

  static void tell(Trace trace, Snapshot then, Pod pod) {
    for (String resource : new DeviceNeeds(pod, then.stocks()::containsKey).ofPod().keySet()) {
      DeviceStock stock = then.stocks().get(resource);
      if (stock != null) {
        tell(trace, then.devices(), stock);
      }
    }
  }

  private static void tell(Trace trace, DeviceAssignments held, DeviceStock stock) {
    String resource = stock.resource();
    List<String> holders =
        held.ids().keySet().stream()
            .filter(pod -> !held.ofPod(pod, resource).isEmpty())
            .sorted(
                Comparator.comparingInt((String pod) -> -held.ofPod(pod, resource).size())
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    Set<String> inUse = new HashSet<>();
    holders.forEach(pod -> inUse.addAll(held.ofPod(pod, resource)));
    List<String> free = stock.free(inUse, Set.of()).stream().map(Device::id).toList();
    long ill = stock.all().stream().filter(device -> !device.healthy()).count();
    trace.add(
        new Step.Noted(
            resource
                + ": free "
                + free.size()
                + " of "
                + stock.all().size()
                + (free.isEmpty() ? "" : " (" + listed(free) + ")")
                + (ill == 0 ? "" : ", unhealthy " + ill)));
    for (String pod : holders.subList(0, Math.min(LISTED, holders.size()))) {
      Set<String> ids = held.ofPod(pod, resource);
      trace.add(new Step.Noted("pod " + pod + " holds " + ids.size() + ": " + listed(ids)));
    }
    if (holders.size() > LISTED) {
      trace.add(new Step.Noted("and " + (holders.size() - LISTED) + " pods more hold " + resource));
    }
  }

  private static String listed(Collection<String> ids) {
    String first = String.join(", ", ids.stream().limit(LISTED).toList());
    return ids.size() <= LISTED ? first : first + ", … (" + ids.size() + ")";
  }
}
