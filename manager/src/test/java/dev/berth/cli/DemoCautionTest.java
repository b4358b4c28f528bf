package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workload.CpuWish;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoCautionTest {
  private static String event(String kind, String message) {
    return "{\"number\":1,\"kind\":\"" + kind + "\",\"pod\":\"\",\"message\":\"" + message + "\"}";
  }

  @Test
  void theLastWarningAboutAWishTellsWhyItWasNotFulfilled() {
    List<String> events =
        List.of(
            event("warning", "CPU 1 cannot be kept undisturbed: expected a, found b"),
            "",
            event("warning", "CPU 1 cannot be kept awake: expected a driver, found none"),
            event("warning", "CPU 2 cannot be kept undisturbed: expected a, found c"),
            event("admitted", "CPU 3 cannot be kept undisturbed: what a pod is called"));
    assertThat(DemoCommand.whyNot(CpuWish.UNDISTURBED, events))
        .contains("CPU 2 cannot be kept undisturbed: expected a, found c");
    assertThat(DemoCommand.whyNot(CpuWish.AWAKE, events))
        .contains("CPU 1 cannot be kept awake: expected a driver, found none");
    assertThat(DemoCommand.whyNot(CpuWish.AWAKE, List.of())).isEmpty();
  }
}
