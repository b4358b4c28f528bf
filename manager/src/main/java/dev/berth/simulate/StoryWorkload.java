package dev.berth.simulate;

import dev.berth.cpu.InvalidInputException;
import dev.berth.json.Json;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.PodManifest;
import dev.berth.ledger.Holding;
import dev.berth.render.MachineJson;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The pods of a story, to come and go again at their times. What became of them is forgotten. */
final class StoryWorkload {
  private final String source;
  private final Story story;
  private final SortedMap<Integer, Holding> start = new TreeMap<>();
  private final List<Visit> visits = new ArrayList<>();

  /** When those came who are there, by pod. */
  private final Map<Integer, Long> present = new HashMap<>();

  private StoryWorkload(String source, Story story) {
    this.source = source;
    this.story = story;
  }

  static WorkloadReader.Found of(String source, Story story) {
    return new StoryWorkload(source, story).read();
  }

  private WorkloadReader.Found read() {
    story
        .start()
        .holding()
        .forEach((pod, held) -> {
          start.put(pod, held);
          present.put(pod, Visit.BEFORE);
        });
    story.steps().forEach(step -> step.pod().ifPresent(pod -> happened(step, pod)));
    new TreeMap<>(present).forEach((pod, came) -> visits.add(new Visit(pod, came, Visit.NEVER)));
    NodeSettings settings =
        NodeSettings.read(source + ": configuration", story.configuration(), List.of());
    return new WorkloadReader.Found(
        new Workload(visitors(), start, inOrder(), elsewhere(settings)),
        Optional.of(MachineJson.read(story.machine())),
        Optional.of(settings),
        List.of());
  }

  private void happened(Step step, int pod) {
    long at = Math.round(step.at() * 1000);
    switch (step.kind()) {
      case ADMITTED -> present.putIfAbsent(pod, at);
      case REFUSED -> {
        if (!present.containsKey(pod)) {
          String place = source + ": pods[" + pod + "].manifest";
          long leaves =
              Schedule.stay(place, story.pods().get(pod))
                  .map(stay -> at + stay)
                  .orElse(Visit.NEVER);
          visits.add(new Visit(pod, at, leaves));
        }
      }
      case REMOVED -> {
        Long came = present.remove(pod);
        if (came == null) {
          // It was there before the story began, and had nothing of its own.
          start.put(pod, Holding.NOTHING);
        }
        long arrived = came == null ? Visit.BEFORE : came;
        visits.add(new Visit(pod, arrived, Math.max(at, arrived + 1)));
      }
      case MOVED, DISPLACED, NOTE -> {}
    }
  }

  /** Of these somebody had devices, so a plugin was there that the configuration does not list. */
  private Set<String> elsewhere(NodeSettings settings) {
    Set<String> elsewhere = new HashSet<>();
    story.start().holding().values().forEach(held -> addDevices(held, elsewhere));
    story.steps().forEach(step -> addDevices(step.holding(), elsewhere));
    settings.own().devices().forEach(device -> elsewhere.remove(device.resource()));
    return elsewhere;
  }

  private static void addDevices(Holding held, Set<String> resources) {
    held.devices().values().forEach(devices -> resources.addAll(devices.keySet()));
  }

  /** The order of the arrivals in the story, which that of the departures is not. */
  private List<Visit> inOrder() {
    Map<Integer, Integer> first = new HashMap<>();
    for (Step step : story.steps()) {
      if (step.kind() == Step.Kind.ADMITTED || step.kind() == Step.Kind.REFUSED) {
        step.pod().ifPresent(pod -> first.putIfAbsent(pod, first.size()));
      }
    }
    List<Visit> ordered = new ArrayList<>(visits);
    ordered.sort((one, other) ->
        Integer.compare(
            first.getOrDefault(one.visitor(), one.visitor()),
            first.getOrDefault(other.visitor(), other.visitor())));
    return ordered;
  }

  private List<Visitor> visitors() {
    Map<JsonNode, Pod> bySpec = new HashMap<>();
    List<Visitor> visitors = new ArrayList<>();
    for (Story.Told told : story.pods()) {
      String place = source + ": pods[" + visitors.size() + "].manifest";
      Pod read =
          bySpec.computeIfAbsent(
              told.manifest().path("spec"), spec -> pod(place, Json.write(told.manifest())));
      Pod pod = Pod.of(told.uid(), read.containers(), read.budget());
      visitors.add(Visitor.of(told, pod));
    }
    return visitors;
  }

  private static Pod pod(String place, String manifest) {
    List<PodManifest> pods = PodManifest.read(place, manifest);
    if (pods.size() != 1) {
      throw new InvalidInputException(place + ": expected one pod, found " + pods.size());
    }
    return pods.getFirst().pod();
  }
}
