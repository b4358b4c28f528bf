package dev.berth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.ProcessId;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fixture itself: if this fails, no other test with a real CRI-O says anything. */
@Tag("slow")
class RealCrioTest {
  @Test
  void containersOutliveACrioThatIsKilledAndClosingLeavesNothingBehind() throws IOException {
    boolean strewn = Files.exists(Path.of("/var/lib/containers"));
    RealCrio crio = RealCrio.start();
    List<Long> apps;
    try (crio) {
      RealPod pod = crio.pods().run("survivor", QosClass.BURSTABLE);
      pod.start("app", Asks.requested(100), "while :; do echo alive; sleep 0.1; done");
      assertThat(pod.awaitLine("app", "alive")).isEmpty();
      crio.kill();
      apps = crio.groups().processes();
      crio.restart();
      int before = pod.log("app").size();
      Waiting.until("more to be written", () -> pod.log("app").size() > before + 1);
    }
    assertThat(apps).as("a pause, an app, a conmon for each").hasSizeGreaterThanOrEqualTo(4);
    // A process leaves its group a moment before it is gone.
    Waiting.until(
        "the containers' end", () -> apps.stream().allMatch(app -> ProcessId.of(app).isEmpty()));
    String folder = crio.folder().toString();
    assertThat(crio.folder()).doesNotExist();
    assertThat(ProcessId.of(crio.pid())).isEmpty();
    assertThat(crio.groups().cpuset(crio.groups().kubepods())).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder);
    assertThat(Files.exists(Path.of("/var/lib/containers"))).isEqualTo(strewn);
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
      assertThat(processes.map(process -> process.info().commandLine().orElse("")))
          .noneMatch(line -> line.contains(folder));
    }
  }
}
