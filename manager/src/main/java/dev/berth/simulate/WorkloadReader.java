package dev.berth.simulate;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.PodTemplate;
import dev.berth.kubelet.ReconstructedPods;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads workloads: pods in YAML, a {@code cpu_manager_state}, a story. What a file is, its contents
 * say.
 */
public final class WorkloadReader {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private WorkloadReader() {}

  /**
   * What a file holds.
   *
   * @param workload who comes when
   * @param machine the machine that it names, if it does
   * @param settings the configuration that it names, if it does
   * @param notes what a person should know, a line each
   */
  public record Found(
      Workload workload,
      Optional<Machine> machine,
      Optional<NodeSettings> settings,
      List<String> notes) {
    /** Takes a copy. */
    public Found {
      notes = List.copyOf(notes);
    }
  }

  /**
   * Reads a file.
   *
   * @param source what it is called in an error
   * @param seed from which everything random is drawn
   * @throws InvalidInputException naming where, what was expected and what was found
   */
  public static Found read(String source, String text, long seed) {
    if (StoryJson.isStory(text)) {
      return StoryWorkload.of(source, StoryJson.read(source, text));
    }
    boolean json = text.stripLeading().startsWith("{");
    if (json && text.contains("\"checksum\"") && text.contains("\"machineState\"")) {
      throw new InvalidInputException(
          source
              + ": expected pods, a story or a cpu_manager_state, found a memory_manager_state; its"
              + " cpu_manager_state tells who is there");
    }
    return json && text.contains("\"checksum\"") && text.contains("\"policyName\"")
        ? checkpoint(CpuCheckpoint.read(source, text))
        : pods(source, text, seed);
  }

  private static Found pods(String source, String text, long seed) {
    PodTemplate.Found found = PodTemplate.read(source, text);
    SplittableRandom random = new SplittableRandom(seed);
    List<Visitor> visitors = new ArrayList<>();
    List<Visit> visits = new ArrayList<>();
    for (PodTemplate template : found.templates()) {
      Schedule schedule = Schedule.of(template);
      SplittableRandom own = random.split();
      long at = schedule.arrives();
      for (int i = 0; i < schedule.count(); i++) {
        if (visitors.size() == Schedule.MOST) {
          throw new InvalidInputException(
              source + ": expected at most " + Schedule.MOST + " pods in all, found more");
        }
        long arrives = at;
        Optional<Long> stay = schedule.stays().map(stays -> Math.max(1, stays.next(own)));
        long leaves = stay.map(millis -> arrives + millis).orElse(Visit.NEVER);
        visits.add(new Visit(visitors.size(), arrives, leaves));
        Visitor copy = copy(template, schedule, i, visitors);
        visitors.add(stay.map(copy::staying).orElse(copy));
        at += schedule.every().next(own);
      }
    }
    Workload workload = new Workload(visitors, Collections.emptySortedMap(), visits, Set.of());
    return new Found(workload, Optional.empty(), Optional.empty(), found.passedOver());
  }

  /** A pod alone keeps its name; of several, each has its number behind it. */
  private static Visitor copy(
      PodTemplate template, Schedule schedule, int number, List<Visitor> before) {
    Pod pod = template.manifest().pod();
    String namespace = template.manifest().namespace();
    String name = template.manifest().name();
    if (template.isAlone() && schedule.count() == 1) {
      return Visitor.of(Story.Told.of(namespace, name, pod), pod);
    }
    String numbered = name + "-" + number;
    String uid = namespace + "_" + numbered;
    Pod copy = Pod.of(uid, pod.containers(), pod.budget());
    Story.Told told =
        number == 0
            ? Story.Told.of(namespace, numbered, copy)
            : before.getLast().told().named(numbered, uid);
    return Visitor.of(told, copy);
  }

  /** A checkpoint has no names; Berth's own uids are made of them, others serve as such. */
  private static Story.Told told(Pod pod) {
    String[] parts = pod.uid().split("_", 2);
    boolean ours = parts.length == 2 && NAME.matcher(parts[0]).matches();
    String name = ours ? parts[1] : pod.uid();
    String plain =
        name.toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.]+", "-")
            .replaceAll("^[-.]+|[-.]+$", "");
    boolean legal = NAME.matcher(name).matches();
    return Story.Told.of(
        ours ? parts[0] : "default", legal ? name : plain.isEmpty() ? "pod" : plain, pod);
  }

  private static Found checkpoint(CpuCheckpoint checkpoint) {
    SortedMap<String, Holding> holdings = new TreeMap<>();
    Set<String> uids = new HashSet<>(checkpoint.entries().keySet());
    uids.addAll(checkpoint.podEntries().keySet());
    for (String uid : uids) {
      holdings.put(
          uid.isEmpty() ? "unknown" : uid,
          new Holding(
              checkpoint.entries().getOrDefault(uid, Collections.emptySortedMap()),
              checkpoint.podEntries().getOrDefault(uid, CpuSet.EMPTY),
              Collections.<String, List<MemoryBlock>>emptySortedMap(),
              List.of(),
              Collections.emptySortedMap()));
    }
    Set<Pod> known = new HashSet<>(ReconstructedPods.of(holdings, false));
    List<Visitor> visitors = new ArrayList<>();
    SortedMap<Integer, Holding> start = new TreeMap<>();
    List<Visit> visits = new ArrayList<>();
    holdings.forEach((uid, held) -> {
      Pod pod = ReconstructedPods.pod(uid, held);
      start.put(visitors.size(), held);
      visits.add(new Visit(visitors.size(), Visit.BEFORE, Visit.NEVER));
      visitors.add(new Visitor(told(pod), pod, known.contains(pod)));
    });
    Workload workload = new Workload(visitors, start, visits, Set.of());
    return new Found(workload, Optional.empty(), Optional.empty(), List.of());
  }
}
