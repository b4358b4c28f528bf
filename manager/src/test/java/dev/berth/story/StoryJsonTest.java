package dev.berth.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.kubelet.PodManifest;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import dev.berth.render.MachineJson;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.io.StringWriter;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class StoryJsonTest {
  private static final Machine MACHINE = Machines.parse("pack:1 node:2 l3:2 core:2 pu:2");

  private static final Pod MIXED =
      Pod.of(
          "uid-1",
          List.of(
              new Container("setup", Role.INIT, Resources.NONE),
              new Container("proxy", Role.SIDECAR, guaranteed(1)),
              new Container("app", Role.APP, guaranteed(4))),
          Optional.of(guaranteed(6)));

  private static final Holding EVERYTHING =
      new Holding(
          new TreeMap<>(Map.of("app", CpuSet.range(4, 7), "proxy", CpuSet.of(2))),
          CpuSet.range(2, 7),
          new TreeMap<>(Map.of("app", List.of(new MemoryBlock(NodeSet.of(0), "memory", 1L << 33)))),
          List.of(new MemoryBlock(NodeSet.range(0, 1), "hugepages-2Mi", 1L << 21)),
          new TreeMap<>(
              Map.of("app", new TreeMap<>(Map.of("vendor.example/nic", List.of("nic0", "nic1"))))));

  private static Resources guaranteed(int cpus) {
    return Resources.guaranteed(
        Map.of(Resources.CPU, Quantity.of(cpus), Resources.MEMORY, Quantity.of((long) cpus << 30)));
  }

  private static Story story() {
    Step admitted =
        Step.of(12.5, Step.Kind.ADMITTED, 1)
            .with(EVERYTHING)
            .placed(
                new TreeMap<>(Map.of("app", NodeSet.of(0))),
                new TreeMap<>(Map.of("app", EnumSet.of(Boundary.NUMA, Boundary.SOCKET))))
            .explained(List.of("  took \"4-7\"", "<b>why</b>"))
            .shared(CpuSet.parse("0-1,8-15"));
    Step refused =
        Step.of(13, Step.Kind.REFUSED, 0).because("TopologyAffinityError", "Resources cannot be");
    return new Story(
        "a test",
        Optional.of(Instant.parse("2026-11-16T10:00:00Z")),
        // Read once, for a number is of another class before and after.
        (ObjectNode) JsonMapper.shared().readTree(MachineJson.write(MACHINE)),
        "cpuManagerPolicy: static\n",
        CpuSet.of(0),
        List.of(
            Story.Told.of("default", "db-0", Pod.guaranteed("uid-0", 2)),
            Story.Told.of("default", "mixed", MIXED)),
        new Story.Start(CpuSet.range(0, 15), new TreeMap<>(Map.of(0, EVERYTHING))),
        List.of(admitted, refused, Step.note(20, "devices have changed")));
  }

  private static String text(Story story) {
    StringWriter text = new StringWriter();
    StoryJson.writer(text, story).close();
    return text.toString();
  }

  @Test
  void whatIsWrittenIsReadBackTheSame() {
    assertThat(StoryJson.read("a", text(story()))).isEqualTo(story());
  }

  @Test
  void stepByStepIsTheSameTextAsAllAtOnce() {
    StringWriter slow = new StringWriter();
    try (StoryWriter writer = StoryJson.writer(slow, story().opening())) {
      story().steps().forEach(writer::add);
    }
    assertThat(slow).hasToString(text(story()));
  }

  @Test
  void fieldsThatNobodyKnowsArePassedOver() {
    StringWriter text = new StringWriter();
    try (StoryWriter writer = StoryJson.writer(text, story())) {
      writer.beside("figures", JsonNodeFactory.instance.objectNode().put("admitted", 1));
    }
    assertThat(text.toString()).contains("\"figures\":{\"admitted\":1}");
    assertThat(StoryJson.read("a", text.toString())).isEqualTo(story());
  }

  @Test
  void absentFieldsAreLeftOut() {
    assertThat(StoryJson.write(Step.of(3, Step.Kind.REMOVED, 7)))
        .isEqualTo("{\"at\":3,\"kind\":\"removed\",\"pod\":7}");
  }

  @Test
  void aManifestIsReadAsThePodThatItWasWrittenFrom() {
    List<PodManifest> again =
        story().pods().stream()
            .map(told -> PodManifest.read("a", told.manifest().toString()).getFirst())
            .toList();
    assertThat(again)
        .extracting(PodManifest::pod)
        .containsExactly(Pod.guaranteed("uid-0", 2), MIXED);
    assertThat(again).extracting(PodManifest::name).containsExactly("db-0", "mixed");
  }

  @Test
  void aCopyOfAPodHasItsNameInTheManifest() {
    Story.Told copy = story().pods().getFirst().named("db-1", "default_db-1");
    PodManifest read = PodManifest.read("a", copy.manifest().toString()).getFirst();
    assertThat(read.name()).isEqualTo("db-1");
    assertThat(read.pod()).isEqualTo(Pod.guaranteed("default_db-1", 2));
  }

  @Test
  void noStepComesAfterTheEnd() {
    StoryWriter writer = StoryJson.writer(new StringWriter(), story());
    writer.beside("figures", JsonNodeFactory.instance.objectNode());
    Step step = Step.note(1, "late");
    assertThatThrownBy(() -> writer.add(step)).isInstanceOf(IllegalStateException.class);
    writer.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /story                | 2         | day.json: story: expected version 1, found 2
          /steps/0/kind         | "let in"  | day.json: steps[0].kind: expected one of admitted,
          /steps/0/at           | -1        | day.json: steps[0].at: expected 0 or more, found -1
          /steps/0/at           | "1"       | day.json: steps[0].at: expected a number, found "1"
          /steps/0/pod          | 7         | day.json: story: a step at 12.5 s: expected a pod from 0 to 1, found 7
          /steps/0/cpus/app     | "4-x"     | day.json: steps[0].cpus."app": cpuset "4-x": expected
          /steps/0/memory/app   | {}        | day.json: steps[0].memory."app": expected a list, found {}
          /steps/1/message      | 3         | day.json: steps[1].message: expected text, found 3
          /pods/1/name          | null      | day.json: pods[1].name: expected text, found null
          /reserved             | "a"       | day.json: reserved: cpuset "a": expected
          /start                | {}        | day.json: start: expected shared in it, found none
          /began                | "noon"    | day.json: began: expected a time such as
          /machine              | []        | day.json: machine: expected an object, found []
          """)
  void anErrorIsOneLineWithItsPlace(String path, String value, String words) {
    JsonMapper mapper = JsonMapper.shared();
    var tree = mapper.readTree(text(story()));
    int cut = path.lastIndexOf('/');
    var parent = (ObjectNode) tree.at(path.substring(0, cut));
    parent.set(path.substring(cut + 1), mapper.readTree(value));
    String broken = tree.toString();
    assertThatThrownBy(() -> StoryJson.read("day.json", broken))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(words)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          []               | expected a story, found something else
          {"story":1       | expected JSON at line 1
          {"story":1}      | expected a story with title, found none
          {"steps":{}}     | steps: expected a list, found something else
          """)
  void whatIsNoStorySaysSo(String text, String words) {
    assertThatThrownBy(() -> StoryJson.read("day.json", text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("day.json: " + words);
  }
}
