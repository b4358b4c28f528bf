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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloorsTest {
  private final Floors floors =
      Floors.parse("floors", List.of("# a word", "", "one 300x", "two 1000ns"));

  @Test
  void aRatioOrATimeThatFallsShortIsTold() {
    assertThat(floors.missed("one", 5, Optional.of(300.0))).isEmpty();
    assertThat(floors.missed("one", 5, Optional.of(299.9)))
        .hasValue("expected at least 300 times Kubernetes' speed");
    assertThat(floors.missed("two", 1000, Optional.empty())).isEmpty();
    assertThat(floors.missed("two", 1001, Optional.of(9e9))).hasValue("expected at most 1000 ns");
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

  @ParameterizedTest
  @ValueSource(strings = {"floors.txt", "targets.txt"})
  void theProjectsOwnFloorsAreForWorkloadsThatExist(String file) throws IOException {
    Path scripts = Path.of("..", "scripts", file);
    Floors own = Floors.parse(file, Files.readAllLines(scripts));
    own.check(file, Workloads.all());
    assertThat(own.missed("merge/numa8/providers4", Long.MAX_VALUE, Optional.empty())).isPresent();
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
