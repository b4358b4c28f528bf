package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FloorsTest {
  private final Floors floors =
      Floors.parse("floors", List.of("# a word", "", "one 300x", "two 1000ns"));

  @Test
  void aRatioOrATimeThatFallsShortIsTold() {
    assertThat(floors.missed("one", 5, Optional.of(300.0))).isEmpty();
    assertThat(floors.missed("one", 5, Optional.of(299.9)))
        .hasValue("expected at least 300 times Kubernetes' speed, found 299.9");
    assertThat(floors.missed("two", 1000, Optional.empty())).isEmpty();
    assertThat(floors.missed("two", 1001, Optional.of(9e9)))
        .hasValue("expected at most 1000 ns, found 1001");
    assertThat(floors.missed("three", 1001, Optional.empty())).isEmpty();
  }

  @Test
  void aRatioThatWasNotMeasuredIsMissed() {
    assertThat(floors.missed("one", 5, Optional.empty()))
        .hasValue("expected at least 300 times Kubernetes' speed, which was not measured");
  }

  @Test
  void aFloorForNoWorkloadIsRefused() {
    assertThatThrownBy(() -> floors.check("floors", Workloads.all()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("floors: expected names that berth bench --list tells, found \"one\"");
  }

  @Test
  void aLineThatIsNoFloorIsRefusedWithItsNumber() {
    assertThatThrownBy(() -> Floors.parse("floors", List.of("", "one 3")))
        .hasMessage(
            "floors:2: expected a name and a floor such as 300x or 1000ns, found \"one 3\"");
  }

  @Test
  void slackIsForRatiosAndNotForTimes() {
    Floors eased = floors.within(3);
    assertThat(eased.missed("one", 5, Optional.of(100.0))).isEmpty();
    assertThat(eased.missed("one", 5, Optional.of(99.9)))
        .hasValue("expected at least 100 times Kubernetes' speed, found 99.9");
    assertThat(eased.missed("one", 5, Optional.empty())).isPresent();
    assertThat(eased.missed("two", 1001, Optional.empty())).isPresent();
    assertThat(floors.missed("one", 5, Optional.of(100.0))).isPresent();
  }

  /** What Berth was asked for. Who changes the file is to change what is asked on purpose. */
  @Test
  void theProjectsOwnTargetsAreThoseThatWereAskedFor() throws IOException {
    Map<String, String> asked =
        Map.ofEntries(
            Map.entry("fill/epyc-7702p/packed/4", "500x"),
            Map.entry("fill/epyc-7702p/uncore/4", "300x"),
            Map.entry("fill/epyc-9654-2p-nps2/packed/8/best-effort", "500x"),
            Map.entry("fill/epyc-9654-2p-nps4/distribute/48/best-effort", "500x"),
            Map.entry("fill/xeon-8490h-2p-snc4/packed/8/restricted", "500x"),
            Map.entry("admit-one/numa8/best-effort", "1000x"),
            Map.entry("admit-one/numa12/best-effort", "20000x"),
            Map.entry("merge/numa4/providers1", "40x"),
            Map.entry("merge/numa4/providers4", "10000x"),
            Map.entry("merge/numa8/providers2", "1000x"),
            Map.entry("merge/numa8/providers3", "300000x"),
            Map.entry("merge/numa8/providers4", "100000ns"),
            Map.entry("merge/numa64/providers4", "1000000ns"),
            Map.entry("admit-one/numa34/all", "1000000ns"),
            Map.entry("admit-one/numa64/all", "1000000ns"));
    List<String> lines = Files.readAllLines(Path.of("..", "scripts", "targets.txt"));
    assertThat(lines.stream().filter(line -> !line.startsWith("#") && !line.isBlank()))
        .containsExactlyInAnyOrderElementsOf(
            asked.entrySet().stream().map(one -> one.getKey() + " " + one.getValue()).toList());
    Floors.parse("targets.txt", lines).check("targets.txt", Workloads.all());
    assertThat(Workloads.all())
        .extracting(NamedWorkload::name)
        .filteredOn(name -> name.startsWith("fill/"))
        .allMatch(asked::containsKey);
  }

  @Test
  void theBetterOfTwoTimesOfKubernetesCounts() {
    assertThat(
            Upstream.better(
                Map.of("a", told(3, "x"), "b", told(1, "y")),
                Map.of("a", told(2, "z"), "c", told(9, "x"))))
        .containsOnly(
            Map.entry("a", told(2, "z")),
            Map.entry("b", told(1, "y")),
            Map.entry("c", told(9, "x")));
  }

  private static Upstream.Told told(long ns, String outcome) {
    return new Upstream.Told(ns, Optional.of(outcome));
  }

  @Test
  void everyWorkloadDoesItsWork() {
    for (NamedWorkload workload : Workloads.all()) {
      assertThat(workload.prepare().outcome())
          .as(workload.name())
          .matches("[1-9][0-9]* pods, [0-9a-f]{12}|[0-9,-]+|nodes [0-9]+(, preferred)?");
    }
  }
}
