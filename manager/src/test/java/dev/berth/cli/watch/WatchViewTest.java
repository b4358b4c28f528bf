package dev.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.watch.LoadMeter.Ticks;
import dev.berth.cpu.CpuSet;
import dev.berth.terminal.Frame;
import dev.berth.terminal.Key;
import dev.berth.terminal.Size;
import dev.berth.topology.Cpu;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WatchViewTest {
  private static final Size USUAL = new Size(80, 24);

  private final WatchModel model = new WatchModel();

  private Frame draw(Size size) {
    return WatchView.draw(model, size, "12:00:00Z");
  }

  private void press(String keys) {
    keys.chars().forEach(key -> model.take(new News.Pressed(Key.of((char) key))));
  }

  private void press(Key.Kind key) {
    model.take(new News.Pressed(Key.of(key)));
  }

  @Test
  void showsMachinePodsAndEvents() {
    Machine machine = Machines.named("laptop-2-core");
    model.take(
        Scenes.seen(
            machine,
            CpuSet.of(0, 2),
            List.of(Scenes.pod("web", CpuSet.of(1, 3), "running", false))));
    model.take(Scenes.told(1, "app: CPUs 1,3 alone"));
    assertThat(draw(new Size(64, 13)).lines())
        .containsExactly(
            " berth  laptop-2-core  static, none             live  12:00:00Z",
            "4 CPUs: 2 exclusive, 2 shared, of which 1 reserved; 1 pod",
            "S0 N0 #· AA",
            "",
            "     POD  QOS         CPUS  NODES  ALIGNED  STATE",
            "  A  web  Guaranteed  1,3   0      yes      running",
            "",
            "  LATEST EVENTS",
            "  03:04:05 admitted web: app: CPUs 1,3 alone",
            "",
            "",
            "",
            "q quit  ↑↓ choose  Enter explain  / filter  p pause  ? help");
  }

  @Test
  void isolatedCpusHaveSignsOfTheirOwnAndALegendWhereThereAreAny() {
    Machine machine =
        Machine.builder("isolcpus")
            .cpu(new Cpu(0, 0, 0, 0, 0))
            .cpu(new Cpu(1, 1, 0, 0, 0))
            .cpu(new Cpu(2, 2, 0, 0, 0))
            .cpu(new Cpu(3, 3, 0, 0, 0))
            .isolated(CpuSet.of(2, 3))
            .build();
    model.take(
        Scenes.seen(
            machine,
            CpuSet.of(0, 1, 2),
            List.of(Scenes.pod("web", CpuSet.of(3), "running", false))));
    Frame frame = draw(USUAL);
    assertThat(frame.line(2)).isEqualTo("isolated by the kernel (: or underlined): 2-3");
    assertThat(frame.line(3)).isEqualTo("S0 N0 # · : A");
    assertThat(frame.style(3, 12).isUnderlined()).isTrue();
    assertThat(frame.style(3, 10).isUnderlined()).isFalse();
    press("?");
    assertThat(draw(new Size(100, 50)).lines())
        .anyMatch(line -> line.contains(":       shared, isolated"));
  }

  @Test
  void tellsHowBusyEachCpuIsAndThatOfEachOwner() {
    Machine machine = Machines.named("laptop-2-core");
    model.take(
        Scenes.seen(
            machine,
            CpuSet.of(0, 2),
            List.of(Scenes.pod("web", CpuSet.of(1, 3), "running", false))));
    model.take(
        new News.Measured(
            Load.between(
                    Map.of(0, new Ticks(5, 10), 1, new Ticks(0, 10), 3, new Ticks(0, 10)),
                    Map.of(0, new Ticks(5, 110), 1, new Ticks(100, 110), 3, new Ticks(50, 110)))
                .with(Map.of("web", 1.2))));
    List<String> lines = draw(USUAL).lines();
    assertThat(lines).contains("S0 N0 #· AA", "         █▄");
    assertThat(lines.get(5)).endsWith("STATE    OWN   OTHER");
    assertThat(lines.get(6)).endsWith("running  60 %  15 %");
  }

  static Stream<String> machines() {
    return Stream.concat(
        Machines.all().stream().map(known -> known.name()),
        Stream.of("pack:1 core:1 pu:1", "pack:1 core:2 pu:1", "pack:8 node:2 l3:2 core:8 pu:2"));
  }

  @ParameterizedTest
  @MethodSource("machines")
  void fitsEveryScreenAndShowsEveryCpuOnAUsualOne(String name) {
    Machine machine = Machines.parse(name);
    model.take(Scenes.crowded(machine));
    for (int number = 0; number < 300; number++) {
      model.take(Scenes.told(number, "app: CPUs 0-" + number + " alone, and much more to say"));
    }
    for (Size size :
        List.of(
            new Size(1, 1),
            new Size(10, 3),
            new Size(60, 20),
            USUAL,
            new Size(200, 50),
            new Size(300, 100))) {
      assertThat(draw(size).lines()).hasSize(size.rows());
    }
    for (Size size : List.of(new Size(60, 20), USUAL, new Size(200, 50))) {
      int room = (size.rows() - 3) / 2;
      MachineMap map = MachineMap.of(machine, size.columns(), room, true);
      assertThat(map.rows()).as("%s at %s", name, size).isLessThanOrEqualTo(room);
      Set<Integer> shown = new HashSet<>();
      Set<List<Integer>> places = new HashSet<>();
      map.cells()
          .forEach(cell -> {
            shown.addAll(cell.cpus());
            assertThat(cell.column()).isBetween(0, size.columns() - 1);
            assertThat(places.add(List.of(cell.row(), cell.column())))
                .as("%s twice", cell)
                .isTrue();
          });
      assertThat(shown).hasSize(machine.cpus().size());
    }
  }

  @Test
  void theChosenPodsCpusStandOut() {
    model.take(Scenes.crowded(Machines.named("epyc-7702p")));
    press("jj");
    Frame frame = draw(USUAL);
    assertThat(frame.lines()).anyMatch(line -> line.startsWith("> B  matching-engine-1"));
    int row = 2;
    String cpus = frame.line(row);
    for (int column = 6; column < cpus.length(); column++) {
      assertThat(frame.style(row, column).isReverse())
          .as("column %d of %s", column, cpus)
          .isEqualTo(cpus.charAt(column) == 'B');
    }
  }

  @Test
  void whoeverIsInTroubleIsMarkedWithoutColours() {
    model.take(Scenes.crowded(Machines.named("laptop-2-core")));
    assertThat(draw(USUAL).lines())
        .anyMatch(line -> line.startsWith("!    late") && line.endsWith("TopologyAffinityError"));
  }

  @Test
  void aListThatIsTooLongFollowsTheChosenOne() {
    model.take(Scenes.crowded(Machines.named("epyc-9755-2p")));
    assertThat(draw(USUAL).lines()).anyMatch(line -> line.endsWith(" more ↓"));
    press(Key.Kind.END);
    assertThat(draw(USUAL).lines())
        .anyMatch(line -> line.startsWith("> ") && line.contains("late"));
    press(Key.Kind.HOME);
    assertThat(draw(USUAL).lines()).anyMatch(line -> line.startsWith("> A  matching-engine-0"));
  }

  @Test
  void anAgentThatIsGoneIsToldAndTheLastPictureStays() {
    model.take(new News.Lost("s: no agent answers there"));
    assertThat(draw(USUAL).lines()).contains("s: no agent answers there");
    assertThat(draw(USUAL).line(0)).contains("AGENT GONE");
    model.take(Scenes.crowded(Machines.named("laptop-2-core")));
    assertThat(draw(USUAL).line(0)).contains("live");
    model.take(new News.Lost("it went away"));
    assertThat(draw(USUAL).lines())
        .contains("The agent is gone, this is how it was: it went away")
        .anyMatch(line -> line.contains("guest"));
  }

  @Test
  void aLongExplanationScrollsToItsEndAndNoFurther() {
    List<String> lines = Stream.iterate(1, i -> i + 1).limit(50).map(i -> "line " + i).toList();
    model.take(new News.Explained("web", lines));
    assertThat(draw(USUAL).lines()).contains("web  (20/50)", "line 1").doesNotContain("line 21");
    press("j ");
    assertThat(draw(USUAL).lines()).contains("line 12").doesNotContain("line 11");
    press(Key.Kind.END);
    assertThat(draw(USUAL).lines()).contains("line 31", "line 50").doesNotContain("line 30");
    press("k");
    assertThat(draw(USUAL).lines()).contains("line 30").doesNotContain("line 50");
    press("q");
    assertThat(model.isOver()).isFalse();
    assertThat(draw(USUAL).lines()).doesNotContain("line 31");
  }

  @Test
  void helpFitsAUsualScreen() {
    press("?");
    assertThat(draw(USUAL).lines())
        .anyMatch(line -> line.startsWith("q "))
        .contains("Keys and signs");
    assertThat(draw(USUAL).lines()).noneMatch(line -> line.contains("…"));
  }

  @Test
  void lettersStayAsOthersComeAndGo() {
    Machine machine = Machines.named("epyc-7702p");
    PodLine first = Scenes.pod("first", CpuSet.of(1), "running", false);
    PodLine second = Scenes.pod("second", CpuSet.of(2), "running", false);
    model.take(Scenes.seen(machine, machine.cpus(), List.of(first, second)));
    model.take(Scenes.seen(machine, machine.cpus(), List.of(second)));
    assertThat(model.letters().letter("second")).isEqualTo('B');
    model.take(
        Scenes.seen(
            machine,
            machine.cpus(),
            List.of(second, Scenes.pod("third", CpuSet.of(3), "running", false))));
    assertThat(model.letters().letter("third")).isEqualTo('A');
    assertThat(model.letters().number("first")).isEmpty();
  }
}
