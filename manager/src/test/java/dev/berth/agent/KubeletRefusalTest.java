package dev.berth.agent;

import static dev.berth.runtime.RealKubelet.ONE_CPU;
import static dev.berth.runtime.RealKubelet.TELL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealKubelet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of a pod that a real kubelet has let in and Berth refuses: {@code docs/runtimes.md}
 * shows it. CPU 0 is reserved for Berth, of which the kubelet knows nothing.
 */
@Tag("slow")
class KubeletRefusalTest {
  private static final String WHY =
      "berth: late-node/app: UnexpectedAdmissionError: Allocate failed due to not enough cpus"
          + " available to satisfy request: requested=1, available=0, which is unexpected; CPUs: 1"
          + " by db-node/app, shared 0, of which reserved 0";

  @TempDir private Path folder;
  private RealContainerd containerd;
  private RealAgent agent;
  private RealKubelet kubelet;

  @BeforeEach
  void start() throws IOException {
    RealAgent.assumeRealGroups();
    containerd = RealContainerd.current();
    kubelet = RealKubelet.on(containerd);
    Path settings = folder.resolve("berth.yaml");
    Files.writeString(settings, "cpuManagerPolicy: static\nreservedSystemCPUs: \"0\"\n");
    agent = RealAgent.startByNri(folder, containerd.nriSocket(), "--config", settings.toString());
    kubelet.configure("cpuManagerPolicy: none\n");
    kubelet.start();
  }

  @AfterEach
  void stop() throws IOException {
    if (kubelet != null) {
      kubelet.close();
    }
    if (agent != null) {
      agent.close();
    }
    if (containerd != null) {
      containerd.close();
    }
  }

  private JsonNode container(String pod) throws IOException {
    return kubelet.status(pod).path("containerStatuses").path(0);
  }

  private String waiting(String pod, String what) throws IOException {
    return container(pod).path("state").path("waiting").path(what).asString("");
  }

  @Test
  void theKubeletTellsWhyBerthRefusesAndItsNextTrySucceedsWhenThereIsRoom() throws Exception {
    kubelet.manifest("db", ONE_CPU, TELL);
    kubelet.awaitOn("db", "1");
    RealAgent.await("db to be ready", () -> container("db").path("ready").asBoolean(false));

    kubelet.manifest("late", ONE_CPU, TELL);
    RealAgent.await(
        "the refusal",
        () ->
            !waiting("late", "message").isEmpty()
                && waiting("late", "reason").equals("CreateContainerError"));
    assertThat(waiting("late", "message")).startsWith("failed to create ").endsWith(WHY);
    RealAgent.await(
        "the event",
        () ->
            kubelet.warnings("late").stream()
                .anyMatch(line -> line.contains("reason=\"Failed\"") && line.contains(WHY)));
    assertThat(kubelet.status("late").path("phase").asString()).isEqualTo("Pending");
    assertThat(agent.pod(RealKubelet.nameOf("late")).path("phase").asString()).isEqualTo("Failed");
    assertThat(kubelet.output("late")).isEmpty();
    assertThat(kubelet.output("db")).as("is not disturbed").containsExactly("1");

    kubelet.withdraw("db");
    kubelet.awaitOn("late", "1");
    RealAgent.await("late to run", () -> container("late").path("state").has("running"));
    assertThat(kubelet.output("late")).containsExactly("1");
    assertThat(container("late").path("restartCount").asInt()).isZero();
  }
}
