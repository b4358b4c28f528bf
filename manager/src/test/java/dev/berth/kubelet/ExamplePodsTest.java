package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExamplePodsTest {
  @Test
  void theExampleHasOnePodWithACpuOfItsOwnAndOneThatShares() throws IOException {
    Path file = Path.of("../examples/pods.yaml");
    List<RunnablePod> pods = RunnablePod.read(file.toString(), Files.readString(file));
    assertThat(pods).extracting(pod -> pod.manifest().name()).containsExactly("db", "web");
    assertThat(pods)
        .extracting(
            pod -> pod.manifest().pod().exclusiveCpus(pod.manifest().pod().containers().getFirst()))
        .containsExactly(1, 0);
    assertThat(pods).allMatch(pod -> pod.warnings().isEmpty());
  }
}
