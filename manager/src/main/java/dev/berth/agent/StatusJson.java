package dev.berth.agent;

import dev.berth.agent.found.UnknownContainer;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.linux.ProcessId;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Who sits where, as JSON. On the loop only. */
final class StatusJson {
  private final Agent agent;
  private final Seating seating;

  private StatusJson(Agent agent) {
    this.agent = agent;
    seating = agent.household().seating();
  }

  static ObjectNode of(Agent agent) {
    return new StatusJson(agent).status();
  }

  private ObjectNode status() {
    Node node = agent.node();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("machine", node.machine().name())
        .put("policy", node.configuration().cpuPolicy().kubernetesName())
        .put("topologyPolicy", node.configuration().topology().policy().kubernetesName())
        .put("cpus", node.machine().cpus().toString())
        .put("shared", node.shared().toString())
        .put("reserved", node.reserved().toString())
        .put("exclusive", node.exclusive().toString());
    ArrayNode pods = json.putArray("pods");
    agent.household().residents().all().forEach(resident -> pods.add(pod(resident)));
    ArrayNode holders = json.putArray("unknownHolders");
    agent.unknownHolders().forEach((uid, holding) -> unknown(holders.addObject(), uid, holding));
    json.put("caution", agent.caution());
    KernelDifferences.of(agent.household()).forEach(json.putArray("differences")::add);
    Reconciliation.Progress reconciling = agent.reconciling();
    json.putObject("reconciling")
        .put("passes", reconciling.passes())
        .put("lastMicroseconds", reconciling.lastNanos() / 1_000)
        .put("writes", reconciling.writes());
    return json;
  }

  /** One without containers is known from a checkpoint. */
  private void unknown(ObjectNode json, String uid, Holding holding) {
    json.put("uid", uid).put("cpus", holding.allCpus().toString());
    List<UnknownContainer> containers =
        agent.household().unknown().stream().filter(one -> one.holder().equals(uid)).toList();
    for (UnknownContainer one : containers) {
      ObjectNode container = json.withArray("containers").addObject();
      container
          .put("name", one.found().name())
          .put("cpus", one.found().cpus().toString())
          .put("shares", one.shares());
      ArrayNode processes = container.putArray("processes");
      one.found().processes().forEach(processes::add);
    }
  }

  private ObjectNode pod(Resident resident) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("uid", resident.uid())
        .put("namespace", resident.namespace())
        .put("name", resident.name())
        .put("origin", resident.origin().word())
        .put("qos", resident.request().qosClass().kubernetesName())
        .put("phase", Descriptions.phase(resident.life().phase()))
        .put("reason", resident.life().reason());
    resident.displaced().ifPresent(why -> json.put("displaced", why));
    ArrayNode containers = json.putArray("containers");
    resident.life().containers().forEach(c -> containers.add(container(resident, c)));
    return json;
  }

  private ObjectNode container(Resident resident, ContainerLife container) {
    Pod pod = resident.request();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", container.name())
        .put("role", container.role().name().toLowerCase(Locale.ROOT))
        .put("state", container.state().name().toLowerCase(Locale.ROOT))
        .put("starts", container.attempt());
    container.code().ifPresent(code -> json.put("code", code));
    if (!resident.life().phase().isOver()) {
      Seating.Seat seat = seating.seat(pod, container.name());
      CpuSet actual = KernelDifferences.cpus(agent.household(), resident, container);
      if (!actual.equals(seat.cpus())) {
        json.put("wanted", seat.cpus().toString());
      }
      json.put("cpus", actual.toString())
          .put("mems", seating.mems(pod.uid(), container.name()).toString())
          .put("exclusive", seat.exclusive());
      if (seat.exclusive()) {
        for (CpuWish wish : resident.wishes()) {
          json.put(wish.word(), agent.household().holds(wish, seat.cpus()));
        }
      }
      places(json.putArray("nodes"), Level.NODE, actual);
      places(json.putArray("caches"), Level.CACHE, actual);
      Set<ProcessId> foreign = agent.household().foreign(resident, container);
      foreign.forEach(process -> json.withArray("foreign").add(process.pid()));
      agent.household().processOf(resident, container).ifPresent(p -> json.put("pid", p.pid()));
    }
    return json;
  }

  private void places(ArrayNode list, Level level, CpuSet cpus) {
    Machine machine = agent.node().machine();
    machine.domains(level).stream()
        .filter(domain -> domain.cpus().intersects(cpus))
        .map(Domain::id)
        .sorted()
        .forEach(list::add);
  }
}
