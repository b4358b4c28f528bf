package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.berth.guest.GuestRequest;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.Empty;
import dev.berth.protocols.nri.HugepageLimit;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainer;
import dev.berth.protocols.nri.LinuxMemory;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.OptionalUInt64;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.SynchronizeResponse;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.protocols.ttrpc.Response;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a runtime says by NRI: a line in the log, and the agent serves the next one. */
@Tag("slow")
class HostileRuntimeTest extends Hostility {
  @Test
  void aFloodWaitsWithinBoundsWhetherItsAnswersAreReadOrNot() throws IOException {
    byte[] padding = new byte[LARGEST - 100];
    for (boolean reads : new boolean[] {true, false}) {
      try (HostilePeer peer = HostilePeer.accept(server).registered()) {
        if (reads) {
          peer.readAll();
        }
        for (int i = 0; i < 20_000; i++) {
          PodSandbox pod = pod("flood" + i);
          peer.ask("CreateContainer", creation(pod, container(pod, "c" + i)));
        }
      } catch (IOException e) {
        // It was shut before all of it was sent.
        assertThat(reads).isFalse();
      }
    }
    try (HostilePeer peer = HostilePeer.accept(server).registered()) {
      for (int i = 0; i < 50; i++) {
        peer.send(peer.request("CreateContainer", ByteString.copyFrom(padding)));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("pipe");
    }
  }

  @Test
  void aListingOfFiveThousandContainersIsTaken() throws IOException {
    each(peer -> {
      long last = 0;
      for (int chunk = 0; chunk < 50; chunk++) {
        SynchronizeRequest.Builder some = SynchronizeRequest.newBuilder().setMore(chunk < 49);
        for (int i = 0; i < 100; i++) {
          PodSandbox pod = pod("many" + chunk + "-" + i);
          some.addPods(pod.toBuilder().putAnnotations("other", "x".repeat(10_000)))
              .addContainers(container(pod, "c" + chunk + "-" + i));
        }
        last = System.nanoTime();
        peer.ask("Synchronize", some.build());
        Response answer = peer.answer();
        assertThat(answer.getStatus().getCode()).isZero();
        assertThat(SynchronizeResponse.parseFrom(answer.getPayload()).getMore())
            .isEqualTo(chunk < 49);
      }
      System.out.printf(
          "5000 containers: %d ms for the last answer%n", (System.nanoTime() - last) / 1_000_000);
      assertThat(agent.ask("GET", "/metrics", "").lines())
          .contains("berth_pods{phase=\"Running\"} 5000");
    });
  }

  @Test
  void aShutdownIsAnsweredAndTheNextRuntimeIsServed() throws IOException {
    endsWith(
        peer -> {
          peer.ask("Shutdown", Empty.getDefaultInstance());
          assertThat(peer.answer().getStatus().getCode()).isZero();
        },
        "the runtime has shut us down");
  }

  @Test
  void aListingWithoutEndIsNotTaken() throws IOException {
    endsWith(
        peer -> {
          PodSandbox pod = pod("endless");
          SynchronizeRequest.Builder chunk = SynchronizeRequest.newBuilder().setMore(true);
          for (int i = 0; i < 1_000; i++) {
            chunk.addContainers(container(pod, "c".repeat(200) + i));
          }
          untilShut(() -> chunkAnswered(peer, chunk.build()));
        },
        "Synchronize: expected at most 12000 pods and containers, found more");
    endsWith(
        peer -> {
          SynchronizeRequest.Builder chunk = SynchronizeRequest.newBuilder().setMore(true);
          chunk.addContainers(container(pod("long"), "c".repeat(1 << 20)));
          untilShut(() -> chunkAnswered(peer, chunk.build()));
        },
        "Synchronize: expected at most 4194304 bytes in all, found more");
    endsWith(
        peer -> {
          SynchronizeRequest chunk = SynchronizeRequest.newBuilder().setMore(true).build();
          untilShut(() -> chunkAnswered(peer, chunk));
        },
        "Synchronize: expected at most 12000 parts, found more");
  }

  private static void chunkAnswered(HostilePeer peer, SynchronizeRequest chunk) throws IOException {
    peer.ask("Synchronize", chunk);
    peer.frame();
  }

  @Test
  void aSmallMessageOfAMillionPartsIsRefused() throws IOException {
    byte[] empty = new byte[LARGEST - 200];
    for (int i = 0; i < empty.length; i += 2) {
      empty[i] = 2 << 3 | 2;
    }
    ByteString bomb = ByteString.copyFrom(empty);
    each(peer -> {
      Map<String, String> answers =
          Map.of(
              "Synchronize", "more than 100000 parts",
              "StopContainer", "more than 100000 parts",
              // Nothing is made of its parts, so it is read to the end.
              "CreateContainer", "pod uid: expected a name");
      for (Map.Entry<String, String> one : answers.entrySet()) {
        peer.send(peer.request(one.getKey(), bomb));
        assertThat(new String(peer.frame(), java.nio.charset.StandardCharsets.UTF_8))
            .contains(one.getValue());
      }
    });
  }

  @Test
  void namesAndNumbersOfAnyKindAreAnsweredOneByOne() throws IOException {
    List<String> names =
        List.of(
            "..", ".", "a/b", "../../etc", "\0", "a\nb", "", "x".repeat(1 << 18), "\u202e", "…");
    List<Long> numbers = List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40);
    each(peer -> {
      for (String name : names) {
        PodSandbox pod =
            pod("fine").toBuilder().setUid(name).setName(name).setNamespace(name).build();
        asked(peer, pod, container(pod, name).toBuilder().setName(name).build());
        asked(peer, pod("fine"), container(pod("fine"), name));
      }
      for (long quota : numbers) {
        for (long period : numbers) {
          asked(peer, pod("n"), withNumbers(container(pod("n"), "n"), quota, period));
        }
      }
      for (String value :
          List.of("x".repeat(1 << 19), "cpu=-1", "cpu=1e99", "a=1,,b=", "=", "☃=1")) {
        PodSandbox pod =
            pod("noted").toBuilder()
                .putAnnotations(GuestRequest.ANNOTATION + "app", value)
                .putAnnotations("other", "x".repeat(1 << 20))
                .build();
        asked(peer, pod, container(pod, "noted"));
      }
    });
  }

  private static Container withNumbers(Container container, long quota, long period) {
    LinuxCPU.Builder cpu =
        LinuxCPU.newBuilder()
            .setShares(OptionalUInt64.newBuilder().setValue(quota))
            .setQuota(OptionalInt64.newBuilder().setValue(quota))
            .setPeriod(OptionalUInt64.newBuilder().setValue(period))
            .setCpus("0-" + quota)
            .setMems("x");
    return container.toBuilder()
        .setPid(Integer.MAX_VALUE)
        .setLinux(
            LinuxContainer.newBuilder()
                .setResources(
                    LinuxResources.newBuilder()
                        .setCpu(cpu)
                        .setMemory(
                            LinuxMemory.newBuilder()
                                .setLimit(OptionalInt64.newBuilder().setValue(period)))
                        .addHugepageLimits(
                            HugepageLimit.newBuilder().setPageSize("2MB").setLimit(quota))))
        .build();
  }

  /** Everything that can be asked about a container, in no order at all; each has its answer. */
  private static void asked(HostilePeer peer, PodSandbox pod, Container container)
      throws IOException {
    StopContainerRequest parts =
        StopContainerRequest.newBuilder().setPod(pod).setContainer(container).build();
    peer.ask("RemoveContainer", parts);
    peer.frame();
    peer.ask("CreateContainer", creation(pod, container));
    peer.frame();
    peer.ask("PostStartContainer", parts);
    peer.frame();
    peer.ask(
        "UpdateContainer",
        UpdateContainerRequest.newBuilder()
            .setPod(pod)
            .setContainer(container)
            .setLinuxResources(container.getLinux().getResources())
            .build());
    peer.frame();
    peer.ask("StopContainer", parts);
    peer.frame();
    peer.ask("StopPodSandbox", parts);
    peer.frame();
    peer.ask(
        "Synchronize",
        SynchronizeRequest.newBuilder()
            .addPods(pod)
            .addPods(pod)
            .addContainers(container)
            .addContainers(container.toBuilder().setName("twin"))
            .addContainers(container)
            .build());
    peer.frame();
    peer.ask("RemovePodSandbox", parts);
    peer.frame();
  }
}
