package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealPod;
import dev.berth.runtime.Waiting;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real runtimes say to us, containerd 2.4 and Debian's 1.6. */
@Tag("slow")
class CriRealTest {
  private static final String IDLE = "while :; do sleep 1; done";
  private static final long MEMORY = 32 << 20;

  private static RealContainerd start(boolean current) throws IOException {
    return current ? RealContainerd.current() : RealContainerd.old();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everythingIsToldOfAContainerThatRuns(boolean current) throws IOException {
    try (RealContainerd containerd = start(current);
        CriClient client = CriClient.of(containerd.socket())) {
      assertThat(client.version().name()).isEqualTo("containerd");
      assertThat(client.version().version()).contains(current ? "2.4.2" : "1.6.");
      assertThat(client.containers()).isEmpty();

      RealPod pod = containerd.pods().run("web", QosClass.GUARANTEED);
      String app = pod.start("app", Asks.limited(1_000, MEMORY), IDLE);
      String late = pod.create("late", Asks.limited(500, MEMORY), IDLE);

      assertThat(client.containers())
          .extracting(CriContainer::id, CriContainer::name, CriContainer::state)
          .containsExactlyInAnyOrder(
              tuple(app, "app", CriState.RUNNING), tuple(late, "late", CriState.CREATED));
      CriContainer listed =
          client.containers().stream().filter(c -> c.id().equals(app)).findFirst().orElseThrow();
      assertThat(listed.sandbox()).isEqualTo(pod.id());
      assertThat(listed.labels().podUid()).hasValue(pod.uid());
      assertThat(listed.labels().podName()).hasValue("web");
      assertThat(listed.labels().podNamespace()).hasValue("default");
      assertThat(listed.labels().containerName()).hasValue("app");

      ContainerDetail detail = client.container(app).orElseThrow();
      assertThat(detail.sandbox()).hasValue(pod.id());
      long pid = detail.pid().orElseThrow();
      assertThat(Files.readString(Path.of("/proc/" + pid + "/cgroup")))
          .contains(pod.group() + "/" + app);
      CriResources resources = detail.resources().orElseThrow();
      assertThat(resources.quota()).isEqualTo(OptionalLong.of(100_000));
      assertThat(resources.period()).isEqualTo(OptionalLong.of(100_000));
      assertThat(resources.shares()).isEqualTo(OptionalLong.of(1_024));
      assertThat(resources.memoryLimit()).isEqualTo(OptionalLong.of(MEMORY));
      assertThat(resources.cpus()).isEmpty();
      assertThat(client.container(late).orElseThrow().pid()).isEmpty();

      assertThat(client.pods()).extracting(CriPod::id).containsExactly(pod.id());
      PodDetail sandbox = client.pod(pod.id()).orElseThrow();
      assertThat(sandbox.cgroupParent()).hasValue(pod.group());
      assertThat(sandbox.pod().uid()).isEqualTo(pod.uid());
      assertThat(sandbox.pod().isReady()).isTrue();
      assertThat(sandbox.pid()).isPresent();
      pod.remove();
      assertThat(client.container(app)).isEmpty();
      assertThat(client.pod(pod.id())).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUpdateMovesTheProcessAndTheRestStaysAsItWas(boolean current) throws IOException {
    try (RealContainerd containerd = start(current);
        CriClient client = CriClient.of(containerd.socket())) {
      RealPod pod = containerd.pods().run("moves", QosClass.GUARANTEED);
      String app = pod.start("app", Asks.limited(1_000, MEMORY), IDLE);
      long pid = client.container(app).orElseThrow().pid().orElseThrow();
      CpuSet all = allowed(pid);
      CpuSet one = CpuSet.of(all.last());

      assertThat(client.update(app, CriResources.NOTHING.withCpus(one)))
          .isEqualTo(new Updated.Done());
      assertThat(allowed(pid)).isEqualTo(one);
      CriResources after = client.container(app).flatMap(ContainerDetail::resources).orElseThrow();
      assertThat(after.cpus()).hasValue(one);
      assertThat(after.quota()).isEqualTo(OptionalLong.of(100_000));
      assertThat(after.memoryLimit()).isEqualTo(OptionalLong.of(MEMORY));

      CriResources free =
          CriResources.NOTHING
              .withCpus(all)
              .withMemoryNodes(NodeSet.of(0))
              .withQuota(CriResources.UNLIMITED);
      assertThat(client.update(app, free)).isEqualTo(new Updated.Done());
      assertThat(allowed(pid)).isEqualTo(all);
      assertThat(
              Files.readString(Path.of("/sys/fs/cgroup/cpu", pod.group(), app, "cpu.cfs_quota_us")))
          .isEqualToIgnoringWhitespace("-1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUpdateBeforeTheStartHoldsFromTheFirstInstruction(boolean current) throws IOException {
    try (RealContainerd containerd = start(current);
        CriClient client = CriClient.of(containerd.socket())) {
      RealPod pod = containerd.pods().run("early", QosClass.GUARANTEED);
      String app = pod.create("app", Asks.limited(1_000, MEMORY), RealPod.TELL_CPUS);
      CpuSet one = CpuSet.of(0);
      assertThat(client.update(app, CriResources.NOTHING.withCpus(one)))
          .isEqualTo(new Updated.Done());
      pod.start(app);
      assertThat(pod.awaitLine("app", "Cpus_allowed_list:")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusalsAndAbsenceAreAnswers(boolean current) throws IOException {
    try (RealContainerd containerd = start(current);
        CriClient client = CriClient.of(containerd.socket())) {
      assertThat(client.container("nobody")).isEmpty();
      assertThat(client.pod("nobody")).isEmpty();
      assertThat(client.update("nobody", CriResources.NOTHING.withCpus(CpuSet.of(0))))
          .isEqualTo(new Updated.Gone());

      RealPod pod = containerd.pods().run("asks", QosClass.BURSTABLE);
      String app = pod.start("app", Asks.requested(100), IDLE);
      CpuSet absent = CpuSet.of(4_000);
      assertThat(client.update(app, CriResources.NOTHING.withCpus(absent)))
          .isInstanceOfSatisfying(
              Updated.Refused.class,
              refused -> assertThat(refused.why()).contains("cpuset").doesNotContain("\n"));
      assertThat(client.container(app).flatMap(ContainerDetail::resources).orElseThrow().cpus())
          .isEmpty();
    }
  }

  @Test
  void eventsTellAContainersLifeOverARestartOfTheRuntime() throws IOException {
    Heard heard = new Heard();
    List<String> log = new CopyOnWriteArrayList<>();
    try (RealContainerd containerd = RealContainerd.current();
        CriClient client = CriClient.of(containerd.socket());
        CriEvents _ = client.follow(heard, log::add)) {
      heard.await("connected");
      RealPod pod = containerd.pods().run("life", QosClass.GUARANTEED);
      String app = pod.start("app", Asks.limited(500, MEMORY), IDLE);
      heard.await("STARTED " + pod.id() + " of sandbox");
      heard.await("CREATED " + app);
      heard.await("STARTED " + app);

      containerd.kill();
      heard.await("lost");
      containerd.restart();
      Waiting.until("a second connection", () -> heard.count("connected") == 2);
      pod.stop(app);
      heard.await("STOPPED " + app);
      pod.remove(app);
      heard.await("DELETED " + app);
      assertThat(heard.lines).doesNotContain("unsupported");
      assertThat(log).allSatisfy(line -> assertThat(line).startsWith("CRI").doesNotContain("\n"));
    }
  }

  @Test
  void aRuntimeWithoutEventsSaysSo() throws IOException {
    Heard heard = new Heard();
    List<String> log = new CopyOnWriteArrayList<>();
    try (RealContainerd containerd = RealContainerd.old();
        CriClient client = CriClient.of(containerd.socket());
        CriEvents _ = client.follow(heard, log::add)) {
      heard.await("unsupported");
      assertThat(log).last().asString().contains("no events");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRuntimeThatHangsOrDiesIsOneLineAndIsFoundAgain(boolean current) throws IOException {
    try (RealContainerd containerd = start(current);
        CriClient client = CriClient.of(containerd.socket(), Duration.ofSeconds(2))) {
      RealPod pod = containerd.pods().run("survivor", QosClass.GUARANTEED);
      String app = pod.start("app", Asks.limited(500, MEMORY), IDLE);
      assertThat(client.containers()).hasSize(1);

      containerd.freeze();
      assertThatThrownBy(client::containers)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("DEADLINE_EXCEEDED")
          .hasMessageNotContaining("\n");
      containerd.thaw();
      Waiting.until("an answer", () -> answers(client));

      containerd.kill();
      for (int attempt = 0; attempt < 10; attempt++) {
        assertThatThrownBy(client::containers)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("UNAVAILABLE")
            .hasMessageNotContaining("\n");
      }
      containerd.restart();
      // At once: no pause grew while it was away.
      assertThat(client.container(app).map(ContainerDetail::state))
          .isEqualTo(Optional.of(CriState.RUNNING));
    }
  }

  private static boolean answers(CriClient client) {
    try {
      return client.containers().size() == 1;
    } catch (IOException e) {
      return false;
    }
  }

  private static CpuSet allowed(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("Cpus_allowed_list:"))
        .map(line -> CpuSet.parse(line.substring("Cpus_allowed_list:".length()).strip()))
        .findFirst()
        .orElseThrow();
  }
}
