package dev.berth.simulate;

import dev.berth.explain.Names;
import dev.berth.ledger.Before;
import dev.berth.ledger.Decision;
import dev.berth.ledger.HintProviders;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.ledger.NodeBuilder;
import dev.berth.ledger.Objection;
import dev.berth.ledger.Outcome;
import dev.berth.relief.Relief;
import dev.berth.render.MachineJson;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Lets the pods of a scenario come and leave, one after the other, and has the engine decide.
 *
 * <p>At the same time those who leave do so before others come; others come in the order of the
 * workload. Who is refused does not come again. Who is there from the start keeps what it has where
 * machine and configuration allow it, and is moved as after a change of either where they do not.
 *
 * <p>Runs once. For one thread.
 */
public final class Simulation {
  /** Refusals that are kept and explained, whoever listens. */
  static final int FIRST_REFUSALS = 10;

  /**
   * Letters of explanations that a story keeps of refusals after its first steps: one or two
   * thousand refusals. Each tries out what would help, which takes longer than the decision.
   */
  static final int REFUSAL_LETTERS = 2 << 20;

  private final Scenario scenario;
  private final Node node;
  private final List<Event> events;
  private final Story.Start start;
  private final List<Step> moves = new ArrayList<>();
  private final StepMaker steps;
  private final Names names;
  private final Presence present;
  private int room = REFUSAL_LETTERS;
  private boolean ran;

  private Simulation(Scenario scenario) {
    this.scenario = scenario;
    Workload workload = scenario.workload();
    NodeBuilder builder =
        Node.builder(scenario.machine(), scenario.settings().configuration())
            .devices(scenario.settings().own().devices())
            .providers(
                HintProviders.startLasting(
                    scenario.providers(), scenario.machine(), scenario.settings().configuration()));
    SortedMap<Integer, Holding> holding = new TreeMap<>();
    Map<String, Outcome> outcomes = Map.of();
    if (workload.start().isEmpty()) {
      node = builder.start();
    } else {
      Migration migration = Migration.plan(builder, before(workload));
      node = migration.node();
      outcomes = migration.outcomes();
    }
    present = new Presence(scenario, node);
    for (int visitor : workload.start().keySet()) {
      settle(visitor, outcomes, holding);
    }
    start = new Story.Start(node.shared(), holding);
    events = Event.of(workload.visits());
    steps = new StepMaker(node);
    names =
        new Names(
            workload.visitors().stream()
                .collect(Collectors.toMap(one -> one.pod().uid(), one -> one.told().title())));
  }

  /**
   * Prepares one: starts an engine, with those on it who are there from the start.
   *
   * @throws dev.berth.cpu.InvalidInputException where the configuration cannot work on the machine
   */
  public static Simulation of(Scenario scenario) {
    return new Simulation(scenario);
  }

  private Before before(Workload workload) {
    SortedMap<String, Holding> holdings = new TreeMap<>();
    List<Pod> pods = new ArrayList<>();
    workload
        .start()
        .forEach((visitor, held) -> {
          Visitor one = workload.visitors().get(visitor);
          if (!held.isEmpty()) {
            holdings.put(one.pod().uid(), held);
          }
          if (one.known()) {
            pods.add(one.pod());
          }
        });
    Set<String> options = scenario.settings().configuration().optionsOn();
    return new Before(holdings, pods, Optional.empty(), options);
  }

  private void settle(
      int visitor, Map<String, Outcome> outcomes, SortedMap<Integer, Holding> holding) {
    present.come(visitor);
    Outcome outcome = outcomes.get(scenario.workload().visitors().get(visitor).pod().uid());
    if (outcome == null) {
      return;
    }
    if (!outcome.to().isEmpty()) {
      holding.put(visitor, outcome.to());
    }
    switch (outcome) {
      case Outcome.Kept _ -> {}
      case Outcome.Moved(Holding from, Holding to, String why) ->
          moves.add(
              Step.of(0, Step.Kind.MOVED, visitor)
                  .with(to)
                  .because("", "had " + from.allCpus() + ": " + why));
      case Outcome.Displaced(Holding from, Holding to, String why) ->
          moves.add(
              Step.of(0, Step.Kind.DISPLACED, visitor)
                  .with(to)
                  .because("", "had " + from.allCpus() + ": " + why));
    }
  }

  /** The engine, as it is now. */
  public Node node() {
    return node;
  }

  /** How many steps there are at most; a refused pod does not leave. */
  public int length() {
    return events.size();
  }

  /** The story as far as it is known before the first step. */
  public Story opening() {
    return new Story(
        scenario.title(),
        Optional.empty(),
        MachineJson.tree(scenario.machine()),
        scenario.settings().yaml(),
        node.reserved(),
        scenario.workload().visitors().stream().map(Visitor::told).toList(),
        start,
        List.of());
  }

  /** Runs, and searches for nobody whom to move. */
  public Figures run(int explained, Consumer<Step> listener) {
    return run(explained, 0, listener);
  }

  /**
   * Runs.
   *
   * @param explained how many of the first steps carry their explanation, which takes time; where
   *     some do, later refusals do too as far as there is room
   * @param relieved for how many of the first refusals it is searched whom to move, which takes up
   *     to a second each
   * @param listener hears every step as soon as it has happened
   */
  public Figures run(int explained, int relieved, Consumer<Step> listener) {
    if (ran) {
      throw new IllegalStateException("a simulation runs once");
    }
    ran = true;
    Tally tally = new Tally(node, scenario.workload().lasts(), events.size());
    moves.forEach(listener);
    int done = 0;
    for (Event event : events) {
      boolean why = done++ < explained;
      if (!event.leaves()) {
        listener.accept(arrive(event, why, explained > 0 && room > 0, relieved, tally));
      } else if (present.contains(event.visitor())) {
        present.leave(event.visitor());
        node.remove(pod(event).uid());
        listener.accept(steps.removed(event));
      }
      tally.measure(event.at());
    }
    return tally.figures(present.surprises(), present.unchecked());
  }

  private Pod pod(Event event) {
    return scenario.workload().visitors().get(event.visitor()).pod();
  }

  private Step refused(Step step, List<String> why, Tally tally) {
    Step told = why.isEmpty() ? step : step.explained(names.in(why));
    room -= told.why().stream().mapToInt(String::length).sum();
    if (tally.refused(told.reason()) <= FIRST_REFUSALS) {
      tally.keep(told);
    }
    return told;
  }

  private Step arrive(Event event, boolean why, boolean whyRefused, int relieved, Tally tally) {
    Pod pod = pod(event);
    return switch (node.admit(pod)) {
      case Decision.Granted granted -> {
        Optional<Objection> objection = present.objection(pod);
        if (objection.isPresent()) {
          node.remove(pod.uid());
          List<String> lines = whyRefused ? granted.why().lines() : List.of();
          yield refused(steps.refused(event, objection.get()), lines, tally);
        }
        present.come(event.visitor());
        Step step = steps.admitted(event, pod, granted);
        tally.admitted(granted.cpus(), step.aligned().values());
        yield why ? step.explained(names.in(granted.why().lines())) : step;
      }
      case Decision.Refused refused -> {
        List<String> lines = new ArrayList<>();
        if (tally.refusals() < FIRST_REFUSALS || whyRefused) {
          lines.addAll(refused.why().lines());
        }
        if (tally.refusals() < relieved) {
          Relief.search(node, present.movable(), pod)
              .lines()
              .forEach(line -> lines.add("    " + line));
        }
        yield refused(steps.refused(event, refused), lines, tally);
      }
    };
  }
}
