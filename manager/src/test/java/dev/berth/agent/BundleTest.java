package dev.berth.agent;

import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth bundle} beside a real agent. */
@Tag("slow")
class BundleTest {
  @TempDir private Path folder;

  private static String run(List<String> words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private String content(String file) throws IOException {
    return Files.readString(folder.resolve("berth-bundle").resolve(file));
  }

  @Test
  void hasAllThatIsNeededAndNoSecret() throws Exception {
    try (RealAgent agent = RealAgent.start(folder)) {
      agent.apply(
          pod("alone", guaranteed(1), "sh", "-c", "echo $TOKEN; exec sleep 1000")
              .replace(
                  "- {name: app,", "- {name: app, env: [{name: TOKEN, value: hunter2-secret}],"));
      await("it to run", () -> agent.container("alone", "app").has("pid"));
      Path file = folder.resolve("b.tar.gz");
      List<String> words = new ArrayList<>(BerthJvm.words(BerthJvm.SHORT));
      words.addAll(List.of("bundle", "-o", file.toString(), "--socket", agent.socket().toString()));
      run(words);
      run(List.of("tar", "-xzf", file.toString(), "-C", folder.toString()));
      assertThat(content("agent/ps.json")).contains("\"name\":\"alone\"");
      assertThat(content("agent/events.jsonl")).contains("\"admitted\"");
      assertThat(content("agent/metrics.txt"))
          .contains("kubelet_cpu_manager_pinning_requests_total 1\n");
      assertThat(content("agent/log.txt")).contains("admitted alone: app: CPUs 1 alone");
      assertThat(content("agent/configuration.yaml")).contains("cpuManagerPolicy: static");
      assertThat(content("agent/about.json")).contains("\"pid\":" + agent.pid());
      assertThat(content("state/cpu_manager_state")).contains("\"app\":\"1\"");
      assertThat(content("state/berth_state")).contains("TOKEN").contains("(left out)");
      assertThat(content("cgroups.txt"))
          .containsPattern(agent.cgroup() + "/pods/default_alone/app/cpuset.cpus: 1\n")
          .contains("cgroup.procs: ");
      try (Stream<Path> files = Files.walk(folder.resolve("berth-bundle"))) {
        for (Path each : files.filter(Files::isRegularFile).toList()) {
          assertThat(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1))
              .as(each.toString())
              .doesNotContain("hunter2");
        }
      }
    }
  }
}
