package dev.berth.agent;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Who has what at the end of a story, counted step by step as any reader would. */
final class StoryFold {
  private final Map<String, Holding> holdings = new TreeMap<>();
  private CpuSet shared;

  private StoryFold(Story story) {
    shared = story.start().shared();
    Map<Integer, Holding> byNumber = new TreeMap<>(story.start().holding());
    story.steps().forEach(step -> apply(byNumber, step));
    byNumber.forEach((pod, has) -> {
      String uid = story.pods().get(pod).uid();
      if (holdings.put(uid, has) != null) {
        throw new AssertionError("story: expected every uid once at its end, found twice " + uid);
      }
    });
  }

  static StoryFold of(String json) {
    return new StoryFold(StoryJson.read("story", json));
  }

  /** What the story of an agent comes to now. */
  static String now(Agent agent) throws IOException {
    StringBuilder text = new StringBuilder();
    new StoryText(text).story(agent.chronicle().snapshot());
    return of(text.toString()).toString();
  }

  private void apply(Map<Integer, Holding> byNumber, Step step) {
    shared = step.shared().orElse(shared);
    if (step.pod().isEmpty()) {
      return;
    }
    int pod = step.pod().getAsInt();
    switch (step.kind()) {
      case ADMITTED, MOVED, DISPLACED -> byNumber.put(pod, step.holding());
      case REMOVED -> byNumber.remove(pod);
      case REFUSED, NOTE -> {}
    }
  }

  /** In the form in which {@link #of(Node)} says it. */
  @Override
  public String toString() {
    Map<String, Holding> some = new TreeMap<>(holdings);
    some.values().removeIf(Holding::isEmpty);
    return "shared " + shared + ", " + some;
  }

  /** What the ledger says. */
  static String of(Node node) {
    return "shared " + node.shared() + ", " + Holding.all(node);
  }

  boolean has(String uid) {
    return holdings.containsKey(uid);
  }
}
