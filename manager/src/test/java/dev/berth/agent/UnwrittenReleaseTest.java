package dev.berth.agent;

import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.state.PodRecord;
import dev.berth.agent.state.StateFolder;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A release that could not be written is written before anybody gets what was released. */
@Tag("slow")
class UnwrittenReleaseTest {
  @TempDir private Path folder;

  @Test
  void nobodyIsWrittenDownBesideOneThatLeftUnwritten() throws Exception {
    try (RealAgent agent =
        RealAgent.startOnSmallDisk(
            folder,
            "--machine",
            "pack:1 core:2 pu:1",
            // So that only an admission can write what is owed.
            "--cpu-manager-reconcile-period",
            "1h")) {
      assertThat(apply(agent, "first").path("outcome").asString()).isEqualTo("admitted");
      Path filler = agent.state().resolve("filler");
      agent.inside("dd if=/dev/zero of=" + filler + " bs=4k");
      agent.remove("first");
      JsonNode refused = apply(agent, "second");
      assertThat(refused.path("reason").asString()).isEqualTo("StateUnwritable");
      assertThat(agent.inside("rm " + filler)).isZero();
      assertThat(apply(agent, "third").path("outcome").asString()).isEqualTo("admitted");
      // As an agent finds it that starts after this one was killed now.
      Path copy = folder.resolve("copy");
      assertThat(agent.inside("cp -a " + agent.state() + " " + copy)).isZero();
      assertThat(StateFolder.look(copy).pods())
          .extracting(PodRecord::uid)
          .containsExactly("default_third");
    }
  }

  private static JsonNode apply(RealAgent agent, String name) throws Exception {
    return agent.apply(pod(name, guaranteed(1), "x")).path(0);
  }
}
