package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everybody is where it should be once agent and runtime have met again. */
@Tag("slow")
class NriReturnTest {
  @TempDir private Path folder;

  @Test
  void whoCameWhileAnAgentWasKilledOrUpgradedSitsWhereItShould() throws Exception {
    try (Homecoming homecoming = Homecoming.open(folder)) {
      assertThat(homecoming.agentKilled()).isNotNegative();
      assertThat(homecoming.agentUpgraded()).isNotNegative();
    }
  }

  @Test
  void whoWasMovedWhileTheRuntimeWasKilledSitsWhereItShould() throws Exception {
    try (Homecoming homecoming = Homecoming.open(folder)) {
      assertThat(homecoming.runtimeKilled()).isNotNegative();
    }
  }
}
