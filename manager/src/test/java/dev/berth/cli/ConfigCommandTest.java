package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubelet.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code berth config check} and {@code berth config show}. */
class ConfigCommandTest {
  private static final String MACHINE = "pack:1 node:2 core:4 pu:2";

  @TempDir private Path folder;
  private final Captured captured = new Captured();

  private String file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("berth.yaml"), yaml).toString();
  }

  private int check(String... more) {
    List<String> words = new java.util.ArrayList<>(List.of("config", "check"));
    words.addAll(List.of(more));
    words.addAll(List.of("--machine", MACHINE));
    return captured.berth(words.toArray(String[]::new));
  }

  @Test
  void saysWhatWouldHold() throws IOException {
    int code =
        check(
            file("reservedSystemCPUs: 0-1\ncpuManagerPolicyOptions: {full-pcpus-only: \"true\"}\n"),
            "--topology-manager-policy",
            "restricted");
    assertThat(code).as(captured.err()).isZero();
    assertThat(captured.out().lines().map(line -> line.replaceAll(" {2,}", ": ").strip()))
        .contains(
            "CPU policy: static",
            "options: full-pcpus-only",
            "reserved CPUs: 0-1",
            "shared pool: 0-15",
            "assignable: 2-15",
            "topology policy: restricted by container",
            "memory policy: None")
        .noneMatch(line -> line.startsWith("warning"));
  }

  @Test
  void warnsOfWhatWorksButHardlyWasMeant() throws IOException {
    assertThat(
            check(
                file(
                    "reservedSystemCPUs: 0-15\nreservedMemory: [{numaNode: 0, limits: {memory:"
                        + " 1Gi}}]\nberth: {manifests: "
                        + folder
                        + "/absent}\n")))
        .isZero();
    assertThat(captured.out().lines().filter(line -> line.startsWith("warning: ")))
        .containsExactlyInAnyOrder(
            "warning: every CPU is reserved: no container can get CPUs of its own",
            "warning: reservedMemory has no effect under memoryManagerPolicy None",
            "warning: " + folder + "/absent: there is no such folder for manifests yet");
  }

  @Test
  void memoryReservedOnANodeThatIsNotThereIsAWarning() throws IOException {
    assertThat(
            check(
                file(
                    """
                    memoryManagerPolicy: Static
                    reservedMemory:
                    - {numaNode: 0, limits: {memory: 1Mi}}
                    - {numaNode: 77, limits: {memory: 1Mi}}
                    """)))
        .isZero();
    assertThat(captured.out().lines().filter(line -> line.startsWith("warning: ")))
        .singleElement()
        .asString()
        .startsWith("warning: reservedMemory: expected a NUMA node of 0")
        .endsWith(", found 77: nothing is reserved there");
  }

  @Test
  void anOptionWithoutEffectOnTheMachineIsAWarning() throws IOException {
    assertThat(
            check(
                file("cpuManagerPolicyOptions: {strict-align-cpus-by-uncorecache: \"true\"}\n"),
                "-o",
                "json"))
        .isZero();
    assertThat(captured.out()).contains("\"warnings\":[\"").contains("uncorecache has no effect");
  }

  @Test
  void aFaultIsOneLineAndExitCode2() throws IOException {
    assertThat(check(file("reservedSystemCPUs: \"77\"\n"))).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err().lines()).hasSize(1);
    assertThat(captured.err()).contains("77");
  }

  @Test
  void aKubeletsFileIsCheckedByAKubeletsRules() throws IOException {
    String kubelets = "kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1beta1\n";
    assertThat(check(file(kubelets))).isZero();
    assertThat(captured.out()).contains("warning: CPU policy none: no container gets CPUs");
    assertThat(check(file(kubelets + "cpuManagerPolicy: static\n"))).isEqualTo(2);
    assertThat(captured.err()).contains("reserve");
  }

  @Test
  void oneFileIsEnough() throws IOException {
    String file = file("");
    assertThat(check(file, "--config", file)).isEqualTo(2);
    assertThat(captured.err()).contains("--config: expected one file in all");
    assertThat(check(folder + "/absent.yaml")).isEqualTo(2);
  }

  @Test
  void whatIsShownReadsBackToTheSame() throws IOException {
    String file = file("reservedSystemCPUs: 0-1\n");
    assertThat(captured.berth("config", "show", file, "--feature-gates", "PodLevelResources=false"))
        .isZero();
    NodeSettings shown = NodeSettings.read("shown", captured.out(), List.of());
    assertThat(shown.yaml()).isEqualTo(captured.out());
    assertThat(captured.out())
        .contains("reservedSystemCPUs: \"0-1\"")
        .contains("\"PodLevelResources\": false");
  }
}
