package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.ProcessId;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fixture itself: if these fail, no other test with a real runtime says anything. */
@Tag("slow")
class RealContainerdTest {
  private static final String CPUS = "Cpus_allowed_list:";

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aContainerTellsItsCpusWithItsFirstInstructions(boolean current) throws IOException {
    try (RealContainerd containerd = current ? RealContainerd.current() : RealContainerd.old()) {
      for (QosClass qos : QosClass.values()) {
        RealPod pod = containerd.pods().run(qos.kubernetesName().toLowerCase(Locale.ROOT), qos);
        String app = pod.start("app", Asks.NOTHING, RealPod.TELL_CPUS);
        assertThat(pod.awaitEnd(app)).isZero();
        assertThat(pod.awaitLine("app", CPUS))
            .isEqualTo(
                Files.readString(containerd.groups().cpuset(pod.group()).resolve("cpuset.cpus"))
                    .strip());
        pod.remove();
        assertThat(containerd.groups().cpuset(pod.group())).doesNotExist();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void containersOutliveARuntimeThatIsKilled(boolean current) throws IOException {
    try (RealContainerd containerd = current ? RealContainerd.current() : RealContainerd.old()) {
      RealPod pod = containerd.pods().run("survivor", QosClass.GUARANTEED);
      String app =
          pod.start(
              "app", Asks.limited(1_000, 16 << 20), "while :; do echo alive; sleep 0.1; done");
      assertThat(pod.awaitLine("app", "alive")).isEmpty();

      containerd.kill();
      long pid = containerd.groups().processes().getFirst();
      containerd.restart();

      assertThat(ProcessId.of(pid)).isPresent();
      int before = pod.log("app").size();
      Waiting.until("more to be written", () -> pod.log("app").size() > before + 1);
      pod.stop(app);
      pod.remove(app);
      pod.remove();
    }
  }

  @Test
  void closingLeavesNothingBehind() throws IOException {
    RealContainerd containerd = RealContainerd.current();
    List<Long> apps = new ArrayList<>();
    try (containerd) {
      RealPod pod = containerd.pods().run("left", QosClass.BURSTABLE);
      pod.start("app", Asks.requested(100), "sleep 1000");
      apps.addAll(containerd.groups().processes());
    }
    assertThat(apps).hasSizeGreaterThan(1);
    Path folder = containerd.folder();
    assertThat(folder).doesNotExist();
    // A process leaves its group a moment before it is gone.
    Waiting.until(
        "the containers' end", () -> apps.stream().allMatch(app -> ProcessId.of(app).isEmpty()));
    assertThat(ProcessId.of(containerd.pid())).isEmpty();
    assertThat(containerd.groups().cpuset(containerd.groups().kubepods())).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder.toString());
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      assertThat(processes.map(process -> process.info().commandLine().orElse("")))
          .noneMatch(line -> line.contains(folder.toString()));
    }
  }
}
