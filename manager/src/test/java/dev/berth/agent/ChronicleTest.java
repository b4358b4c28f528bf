package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Books.Verdict;
import dev.berth.guest.Allowance;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.story.Step;
import dev.berth.story.Story;
import dev.berth.story.StoryJson;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChronicleTest {
  private static final int STEPS = Integer.getInteger("berth.steps", 500);

  private static final String HOSTILE = "x\",\"pod\":0}]<script>";

  private final Node node =
      Node.builder(
              Machines.parse("pack:2 node:1 l3:2 core:2 pu:2"),
              NodeSettings.DEFAULTS.configuration())
          .start();
  private final List<Resident> here = new ArrayList<>();
  private Chronicle chronicle = new Chronicle();

  private static Tenant tenant(String name, int cpus) {
    String yaml =
        RealAgent.pod(name, cpus == 0 ? "{}" : RealAgent.guaranteed(cpus), "sleep", "infinity");
    return new Tenant(RunnablePod.read("a", yaml).getFirst(), Origin.APPLY, Optional.empty());
  }

  private void begin() {
    chronicle.begin(StoryHead.of(node, "cpuManagerPolicy: static\n", ""), node, here);
  }

  private void admit(Resident tenant) {
    switch (node.admit(tenant.request())) {
      case Decision.Granted _ -> {
        here.add(tenant);
        chronicle.admitted(tenant, node);
      }
      case Decision.Refused refused ->
          chronicle.refused(
              tenant,
              new Verdict.Out(
                  refused.reason().kubernetesName(), refused.message(), Optional.empty()),
              node);
    }
  }

  private void remove(Resident tenant) {
    here.remove(tenant);
    node.remove(tenant.uid());
    chronicle.removed(tenant.uid(), node);
  }

  private String text() throws IOException {
    StringBuilder text = new StringBuilder();
    new StoryText(text).story(chronicle.snapshot());
    return text.toString();
  }

  private Story story() throws IOException {
    return StoryJson.read("story", text());
  }

  @Test
  void aStoryEndsWithWhatTheLedgerHasHoweverMuchOfItWasFolded() throws IOException {
    long seed = System.nanoTime();
    System.out.println("ChronicleTest seed " + seed);
    Random random = new Random(seed);
    chronicle = new Chronicle(20, 30_000);
    begin();
    for (int i = 0; i < STEPS; i++) {
      if (!here.isEmpty() && random.nextInt(5) < 2) {
        remove(here.get(random.nextInt(here.size())));
      } else {
        // A name comes back, now and then with another request.
        String name = "p" + random.nextInt(12);
        if (here.stream().noneMatch(one -> one.name().equals(name))) {
          admit(tenant(name, random.nextInt(4)));
        }
      }
      StoryFold fold = StoryFold.of(text());
      assertThat(fold).as("seed %s, step %s", seed, i).hasToString(StoryFold.of(node));
      assertThat(here).allMatch(one -> fold.has(one.uid()));
      assertThat(story().steps()).hasSizeLessThanOrEqualTo(20);
    }
  }

  @Test
  void whoWasThereBeforeStandsAtTheStart() throws IOException {
    Tenant early = tenant("early", 2);
    node.admit(early.request());
    here.add(early);
    node.admit(tenant("stranger", 1).request());
    begin();
    assertThat(story().steps()).isEmpty();
    assertThat(story().pods()).extracting(Story.Told::name).contains("early", "default_stranger");
    assertThat(StoryFold.of(text())).hasToString(StoryFold.of(node));
  }

  @Test
  void aStrangerWhoTurnsOutToBeSomebodyIsThereOnce() throws IOException {
    Tenant known = tenant("known", 1);
    node.admit(known.request());
    begin();
    admit(known);
    assertThat(story().steps())
        .extracting(Step::kind)
        .containsExactly(Step.Kind.REMOVED, Step.Kind.ADMITTED);
    assertThat(StoryFold.of(text())).hasToString(StoryFold.of(node));
  }

  @Test
  void theSameRefusalIsToldOnce() throws IOException {
    begin();
    admit(tenant("large", 40));
    admit(tenant("large", 40));
    admit(tenant("larger", 41));
    assertThat(story().steps()).extracting(Step::kind).containsOnly(Step.Kind.REFUSED).hasSize(2);
    assertThat(story().steps().getFirst().message()).contains("not enough cpus");
  }

  @Test
  void aPodThatAsksForSomethingElseIsAnotherInTheStory() throws IOException {
    begin();
    Tenant small = tenant("a", 1);
    admit(small);
    remove(small);
    admit(tenant("a", 2));
    assertThat(story().pods())
        .extracting(Story.Told::uid)
        .containsExactly("default_a", "default_a");
    assertThat(story().steps())
        .extracting(step -> step.pod().orElseThrow())
        .containsExactly(0, 0, 1);
  }

  @Test
  void aStepSaysHowWellTheCpusLie() throws IOException {
    begin();
    admit(tenant("a", 2));
    assertThat(text()).contains("\"aligned\":{\"app\":[\"core\",\"l3\",\"numa\",\"socket\"]}");
  }

  @Test
  void hostileNamesStayWithinTheirStrings() throws IOException {
    begin();
    // Only a runtime tells names that nobody has checked.
    GuestContainer container =
        new GuestContainer(
            "uid",
            "default",
            HOSTILE,
            HOSTILE,
            "id",
            "sandbox",
            "",
            new TreeMap<>(),
            new Allowance(1024, 100_000, 100_000, 1 << 20, new TreeMap<>()));
    Resident hostile = new Guest(container, GuestRequest.of(container));
    admit(hostile);
    remove(hostile);
    assertThat(story().pods().getFirst().name()).isEqualTo(HOSTILE);
    assertThat(story().steps()).hasSize(2);
  }

  @Test
  void oneWhoFollowsHearsMoreAndOneWhoIsTooSlowHearsItAnew() throws InterruptedException {
    chronicle = new Chronicle(3, Chronicle.BYTES);
    begin();
    long story = chronicle.snapshot().story();
    assertThat(chronicle.await(story, 0, 0)).isEqualTo(new StoryNews.More(List.of()));
    admit(tenant("a", 1));
    assertThat(chronicle.await(story, 0, 0))
        .isInstanceOfSatisfying(
            StoryNews.More.class, more -> assertThat(more.entries()).hasSize(1));
    for (int i = 0; i < 4; i++) {
      admit(tenant("b" + i, 1));
    }
    assertThat(chronicle.await(story, 1, 0)).isInstanceOf(StoryNews.Anew.class);
    assertThat(chronicle.await(story, 2, 0)).isInstanceOf(StoryNews.More.class);
    begin();
    assertThat(chronicle.await(story, 5, 0)).isInstanceOf(StoryNews.Anew.class);
  }
}
