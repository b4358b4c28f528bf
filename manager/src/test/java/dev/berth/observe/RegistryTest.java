package dev.berth.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text format, as a collector reads it. */
class RegistryTest {
  private final Registry registry = new Registry();

  @Test
  void writesEveryKindWithHelpAndType() {
    registry.counter("a_total", "Counts.").add(2);
    registry.gauge("b", "Is.", "node").set(1.5, "0");
    Histogram histogram = registry.histogram("c_seconds", "Takes.", List.of(0.1, 1.0));
    histogram.observe(0.1);
    histogram.observe(0.5);
    histogram.observe(7);
    assertThat(registry.text())
        .isEqualTo(
            """
            # HELP a_total Counts.
            # TYPE a_total counter
            a_total 2
            # HELP b Is.
            # TYPE b gauge
            b{node="0"} 1.5
            # HELP c_seconds Takes.
            # TYPE c_seconds histogram
            c_seconds_bucket{le="0.1"} 1
            c_seconds_bucket{le="1"} 2
            c_seconds_bucket{le="+Inf"} 3
            c_seconds_sum 7.6
            c_seconds_count 3
            """);
  }

  @Test
  void oneWithoutLabelsIsThereBeforeAnythingHappened() {
    registry.counter("a_total", "Counts.");
    registry.counter("b_total", "Counts.", "why");
    assertThat(registry.text()).contains("\na_total 0\n").doesNotContain("\nb_total");
  }

  @Test
  void escapesWhatWouldEndALineOrAValue() {
    registry.counter("a_total", "One\\two\nthree \"four\".", "why").add(1, "x\"y\\z\nw");
    assertThat(registry.text())
        .contains("# HELP a_total One\\\\two\\nthree \"four\".\n")
        .contains("a_total{why=\"x\\\"y\\\\z\\nw\"} 1\n");
  }

  @Test
  void aGaugeForgetsTheLinesThatAreNotSetAgain() {
    Gauge gauge = registry.gauge("a", "Is.", "node");
    gauge.set(1, "0");
    gauge.set(2, "1");
    gauge.clear();
    gauge.set(3, "0");
    assertThat(registry.text()).contains("a{node=\"0\"} 3").doesNotContain("node=\"1\"");
  }

  @Test
  void refusesWhatNoCollectorWouldRead() {
    assertThatThrownBy(() -> registry.counter("a-b", ""))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("metric: expected a name of letters, digits and _, found \"a-b\"");
    assertThatThrownBy(() -> registry.gauge("a", "", "__b"))
        .isInstanceOf(InvalidInputException.class);
    Counter counter = registry.counter("a_total", "", "b");
    assertThatThrownBy(() -> counter.add(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> counter.add(-1, "x")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> registry.gauge("a_total", ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> registry.histogram("h", "", List.of(2.0, 1.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersHaveNoNeedlessDigits() {
    assertThat(Family.number(3)).isEqualTo("3");
    assertThat(Family.number(-0.25)).isEqualTo("-0.25");
    assertThat(Family.number(1.7e18)).isEqualTo("1.7E18");
    assertThat(Family.number(Double.POSITIVE_INFINITY)).isEqualTo("+Inf");
    assertThat(Registry.exponential(0.5, 2, 3)).containsExactly(0.5, 1.0, 2.0);
  }
}
