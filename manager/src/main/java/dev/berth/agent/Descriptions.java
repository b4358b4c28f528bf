package dev.berth.agent;

import dev.berth.agent.PodLife.Phase;
import dev.berth.json.Json;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Node;
import dev.berth.ledger.Uncounted;
import dev.berth.ledger.WhyShared;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Pods in words, for events and the state folder. */
final class Descriptions {
  private Descriptions() {}

  /** Kubernetes' word for a phase. */
  static String phase(Phase phase) {
    String name = phase.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  static Phase phase(String word) {
    return Phase.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Where the containers of a pod sit: {@code app: CPUs 2-3 alone; log: shared pool 0,4-7}. */
  static String seats(Seating seating, Resident resident) {
    return resident.life().containers().stream()
        .map(container -> {
          Seating.Seat seat = seating.seat(resident.request(), container.name());
          return container.name()
              + ": "
              + (seat.exclusive()
                  ? "CPUs " + seat.cpus() + " alone"
                  : "shared pool " + seat.cpus());
        })
        .collect(Collectors.joining("; "));
  }

  /**
   * Why a container shares that looks as if it asked for exclusive CPUs.
   *
   * @param whole whether all containers of the pod are known
   */
  static Optional<String> surprise(Seating seating, Pod pod, boolean whole) {
    Configuration configuration = seating.node().configuration();
    return (whole ? WhyShared.of(pod, configuration) : WhyShared.ofPart(pod, configuration))
        .map(why -> why.line("shared pool " + seating.common()));
  }

  /** What a person should know of a pod that is admitted, a line each. */
  static List<String> remarks(Seating seating, Pod pod) {
    Uncounted uncounted = new Uncounted(seating.node());
    uncounted.add(pod);
    List<String> remarks = new ArrayList<>(surprise(seating, pod, true).stream().toList());
    uncounted.lines().forEach(line -> remarks.add("not checked: " + line));
    return remarks;
  }

  /** Who has CPUs of their own, and what is left: {@code ; held: 2-3 by db/app, …}. */
  static String holders(Collection<? extends Resident> residents, Seating seating) {
    List<String> held = new ArrayList<>();
    for (Resident resident : residents) {
      for (ContainerLife container : resident.placed()) {
        Seating.Seat seat = seating.seat(resident.request(), container.name());
        if (seat.exclusive()) {
          held.add(seat.cpus() + " by " + resident.title() + "/" + container.name());
        }
      }
    }
    Node node = seating.node();
    return "; CPUs: "
        + (held.isEmpty() ? "" : String.join(", ", held) + ", ")
        + "shared "
        + (node.shared().isEmpty() ? "none" : node.shared())
        + ", of which reserved "
        + (node.reserved().isEmpty() ? "none" : node.reserved());
  }

  /** The exit codes of a pod's containers, with the number of starts. */
  static String exits(Resident resident) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    for (ContainerLife container : resident.life().containers()) {
      ObjectNode one = json.putObject(container.name()).put("starts", container.attempt());
      container.code().ifPresent(code -> one.put("code", code));
    }
    return Json.write(json);
  }

  /**
   * How a container ended.
   *
   * @param starts how often it was started
   * @param code its last exit code
   */
  record Exit(int starts, int code) {}

  /** Reads what {@link #exits} wrote. */
  static void readExits(String json, BiConsumer<String, Exit> each) {
    try {
      for (Map.Entry<String, JsonNode> entry : Json.read(json).properties()) {
        each.accept(
            entry.getKey(),
            new Exit(
                entry.getValue().path("starts").asInt(0),
                entry.getValue().path("code").asInt(ContainerLife.UNSEEN)));
      }
    } catch (JacksonException e) {
      // It was somebody else's file; how its containers ended is lost, and nothing else.
      return;
    }
  }

  /** What became of cpusets that were to get all CPUs back. */
  static String released(int wide, List<String> narrow) {
    String line =
        "policy none: " + wide + (wide == 1 ? " cpuset has" : " cpusets have") + " all CPUs";
    return narrow.isEmpty()
        ? line
        : line + ", " + narrow.size() + " not: " + String.join(", ", narrow);
  }
}
