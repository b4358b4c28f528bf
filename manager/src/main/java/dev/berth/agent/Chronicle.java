package dev.berth.agent;

import dev.berth.agent.Books.Verdict;
import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.ledger.Outcome;
import dev.berth.story.Step;
import dev.berth.story.StoryJson;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What happened since the agent's start, as a story: the latest {@value #KEPT} steps of it, and at
 * most {@value #BYTES} bytes. Older steps are folded into what stood at the story's start. Another
 * machine or another configuration begins another story.
 *
 * <p>Told on the loop, read by any thread. Everything is kept as the text that readers get, which
 * is a fifth of what the values would take.
 */
final class Chronicle {
  static final int KEPT = 2_000;
  static final int BYTES = 1 << 20;

  private final int kept;
  private final int room;
  private final Deque<StoryEntry> entries = new ArrayDeque<>();
  private final Map<Figure, String> start = new LinkedHashMap<>();
  private final Map<String, Figure> here = new HashMap<>();
  private final Map<String, String> refusals = new HashMap<>();
  private StoryHead head = StoryHead.NONE;
  private CpuSet startShared = CpuSet.EMPTY;
  private CpuSet shared = CpuSet.EMPTY;
  private long story;
  private long count;
  private int bytes;
  private boolean closed;

  Chronicle() {
    this(KEPT, BYTES);
  }

  /** With room for fewer. */
  Chronicle(int kept, int room) {
    this.kept = kept;
    this.room = room;
  }

  /** Begins another story with those who are there now. */
  synchronized void begin(StoryHead opening, Node node, Collection<? extends Resident> residents) {
    head = opening;
    story++;
    entries.clear();
    bytes = 0;
    start.clear();
    here.clear();
    refusals.clear();
    startShared = node.shared();
    shared = startShared;
    Map<String, Holding> strangers = new TreeMap<>(Holding.all(node));
    for (Resident resident : residents) {
      strangers.remove(resident.uid());
      if (!resident.life().phase().isOver()) {
        Figure figure = Figure.of(resident);
        Optional<String> displaced = resident.displaced();
        Step step =
            StorySteps.given(
                displaced.isPresent() ? Step.Kind.DISPLACED : Step.Kind.ADMITTED, 0, node, figure);
        welcome(figure, step.because("", displaced.orElse("")));
      }
    }
    strangers.forEach((uid, holding) -> {
      Figure figure = Figure.unknown(uid, holding);
      welcome(figure, StorySteps.given(Step.Kind.ADMITTED, 0, node, figure));
    });
    notifyAll();
  }

  private void welcome(Figure figure, Step step) {
    here.put(figure.uid(), figure);
    start.put(figure, StoryJson.write(step));
  }

  /** A pod was let in, or was given CPUs of its own again. */
  synchronized void admitted(Resident resident, Node node) {
    Figure figure = known(resident);
    refusals.remove(resident.uid());
    Step.Kind kind = arrive(figure, node) ? Step.Kind.ADMITTED : Step.Kind.MOVED;
    add(Optional.of(figure), StorySteps.given(kind, head.elapsed(), node, figure), node);
  }

  /** A pod was refused; the same refusal of one who asks again and again is told once. */
  synchronized void refused(Resident resident, Verdict.Out out, Node node) {
    String line = out.reason() + ": " + out.message();
    if (line.equals(refusals.put(resident.uid(), line))) {
      return;
    }
    Step step = Step.of(head.elapsed(), Step.Kind.REFUSED, 0).because(out.reason(), out.message());
    add(Optional.of(known(resident)), step, node);
  }

  /** A pod goes on with something else, or without CPUs of its own. */
  synchronized void changed(Resident resident, Outcome outcome, Node node) {
    Figure figure = known(resident);
    double at = head.elapsed();
    switch (outcome) {
      case Outcome.Kept _ -> {}
      case Outcome.Moved moved ->
          add(
              Optional.of(figure),
              StorySteps.given(Step.Kind.MOVED, at, node, figure).because("", moved.why()),
              node);
      case Outcome.Displaced displaced -> displaced(figure, displaced.why(), node);
    }
  }

  /** A pod runs that could not be refused, without the CPUs of its own that it is owed. */
  synchronized void displaced(Resident resident, String why, Node node) {
    displaced(known(resident), why, node);
  }

  private void displaced(Figure figure, String why, Node node) {
    arrive(figure, node);
    Step step = StorySteps.given(Step.Kind.DISPLACED, head.elapsed(), node, figure);
    add(Optional.of(figure), step.because("", why), node);
  }

  /** A pod has left; nothing where it was not in. */
  synchronized void removed(String uid, Node node) {
    refusals.remove(uid);
    Figure figure = here.remove(uid);
    if (figure != null) {
      add(Optional.of(figure), Step.of(head.elapsed(), Step.Kind.REMOVED, 0), node);
    }
  }

  /** Something happened that changes what can be given, and nobody's share. */
  synchronized void noted(String message, Node node) {
    add(Optional.empty(), Step.note(head.elapsed(), message), node);
  }

  /** Whether it was not in before; one whom it replaces under the same uid leaves first. */
  private boolean arrive(Figure figure, Node node) {
    Figure before = here.put(figure.uid(), figure);
    if (before != null && !before.equals(figure)) {
      add(Optional.of(before), Step.of(head.elapsed(), Step.Kind.REMOVED, 0), node);
    }
    return !figure.equals(before);
  }

  /** One who asks for the same as before under the same uid is the same. */
  private Figure known(Resident resident) {
    Figure figure = Figure.of(resident);
    Figure before = here.get(resident.uid());
    return before != null && before.json().equals(figure.json()) ? before : figure;
  }

  private void add(Optional<Figure> about, Step bare, Node node) {
    Optional<CpuSet> pool =
        node.shared().equals(shared) ? Optional.empty() : Optional.of(node.shared());
    shared = node.shared();
    Step step = pool.map(bare::shared).orElse(bare);
    StoryEntry entry = new StoryEntry(++count, about, step.kind(), StoryJson.write(step), pool);
    entries.addLast(entry);
    bytes += entry.bytes();
    while (entries.size() > kept || (bytes > room && entries.size() > 1)) {
      fold(entries.removeFirst());
    }
    notifyAll();
  }

  private void fold(StoryEntry oldest) {
    bytes -= oldest.bytes();
    startShared = oldest.shared().orElse(startShared);
    oldest
        .about()
        .ifPresent(figure -> {
          switch (oldest.kind()) {
            case ADMITTED, MOVED, DISPLACED -> start.put(figure, oldest.json());
            case REMOVED -> start.remove(figure);
            case REFUSED, NOTE -> {}
          }
        });
    if (refusals.size() > KEPT) {
      refusals.clear();
    }
  }

  /** The story as it is now. */
  synchronized StorySnapshot snapshot() {
    return new StorySnapshot(
        story,
        count,
        head.text(),
        new LinkedHashMap<>(start),
        startShared,
        new ArrayList<>(entries));
  }

  /** What has happened after a step of a story, as soon as something has. */
  synchronized StoryNews await(long ofStory, long number, long milliseconds)
      throws InterruptedException {
    long until = System.nanoTime() + milliseconds * 1_000_000;
    while (story == ofStory && count <= number && !closed) {
      long left = (until - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    boolean missed = !entries.isEmpty() && entries.getFirst().number() > number + 1;
    return story != ofStory || missed
        ? new StoryNews.Anew(snapshot())
        : new StoryNews.More(entries.stream().filter(entry -> entry.number() > number).toList());
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Lets those go who wait. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
