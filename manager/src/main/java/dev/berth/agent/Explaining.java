package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpReply;
import dev.berth.kubelet.PodManifest;
import dev.berth.ledger.Decision;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tells why a pod sits where it sits, and what would become of one that is not there. */
final class Explaining {
  private final Agent agent;

  Explaining(Agent agent) {
    this.agent = agent;
  }

  HttpReply explain(String name) {
    Optional<? extends Resident> found = agent.call(() -> agent.household().residents().find(name));
    if (found.isEmpty()) {
      return Api.unknown(name);
    }
    Resident resident = found.get();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", resident.title())
        .put("phase", Descriptions.phase(resident.life().phase()))
        .put("reason", resident.life().reason());
    resident.displaced().ifPresent(why -> json.put("displaced", why));
    ArrayNode lines = json.putArray("lines");
    resident
        .why()
        .ifPresentOrElse(
            why -> why.lines().forEach(line -> lines.add(named(line))),
            () -> lines.add("decided before this agent started; only the outcome was kept"));
    return HttpReply.json(200, json.toString());
  }

  /**
   * What would become of a pod, which is neither started nor written down.
   *
   * @throws dev.berth.cpu.InvalidInputException where it is no pod
   */
  HttpReply tried(String yaml) {
    PodManifest manifest = read(yaml);
    Decision decision = agent.call(() -> agent.copyOfNode().admit(manifest.pod()));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (decision) {
      case Decision.Granted granted -> {
        json.put("decision", "granted").put("headline", headline(granted));
        ObjectNode cpus = json.putObject("cpus");
        granted.cpus().forEach((container, own) -> cpus.put(container, own.toString()));
      }
      case Decision.Refused refused ->
          json.put("decision", "refused")
              .put("headline", refused.reason().kubernetesName() + ": " + refused.message());
    }
    ArrayNode lines = json.putArray("lines");
    decision.why().lines().forEach(line -> lines.add(named(line)));
    return HttpReply.json(200, json.toString());
  }

  /** One at a time: a large file takes twenty times its size while it is read. */
  private synchronized PodManifest read(String yaml) {
    List<PodManifest> pods = PodManifest.read("pod", yaml);
    if (pods.size() != 1) {
      throw new InvalidInputException("pod: expected one to try, found " + pods.size());
    }
    return pods.getFirst();
  }

  private static String headline(Decision.Granted granted) {
    return granted.cpus().isEmpty()
        ? "It would run on the shared pool."
        : "It would have "
            + granted.cpus().values().stream().mapToInt(CpuSet::size).sum()
            + " CPUs of its own.";
  }

  /** The engine knows containers of a runtime by uids that nobody can remember. */
  private String named(String line) {
    String named = line;
    for (Resident resident : agent.household().residents().all()) {
      named = named.replace(resident.uid(), resident.label());
    }
    return named;
  }
}
