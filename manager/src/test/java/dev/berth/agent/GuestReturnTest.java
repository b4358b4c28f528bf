package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.guest.GuestRequest;
import dev.berth.ledger.Holding;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.ttrpc.TtrpcException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who has which CPUs once an agent and a runtime have met again. */
class GuestReturnTest extends GuestHouse {
  @Test
  void oneWhoseProcessRunsKeepsItsCpusThoughTheRuntimeLosesSightOfIt() throws Exception {
    Held db = create("db", "guaranteed", "app", 8);
    Process process = new ProcessBuilder("sleep", "1000").start();
    try {
      runtime.run(db, process.pid());
      runtime.loseSightOf(db);
      runtime.leave();
      runtime.meet();
      Held other = create("other", "guaranteed", "app", 4);
      assertThat(other.cpus().intersects(db.cpus())).isFalse();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aPodThatStoppedWhileTheAgentWasAwayGivesItsCpusBackThoughItsSandboxIsListed()
      throws Exception {
    create("web", "besteffort", "app", 0);
    Held db = create("db", "guaranteed", "app", 8);
    agent.close();
    runtime.leave();
    runtime.stopUnheard(db.podUid());
    startAgent();
    runtime.meet();
    check("afterwards");
    assertThat(agent.call(() -> Holding.all(agent.node()))).isEmpty();
  }

  @Test
  void whoIsOwedCpusGetsThoseOfOneThatLeftWhileTheRuntimeWasAway() throws Exception {
    Held db = create("db", "guaranteed", "app", 12);
    runtime.leave();
    Held late = create("late", "guaranteed", "app", 8);
    runtime.meet();
    check("without room");
    assertThat(late.quota()).isPositive();
    runtime.leave();
    runtime.remove(db);
    runtime.meet();
    check("with room");
    assertThat(late.quota()).isEqualTo(-1);
  }

  @Test
  void whatNobodyUnderstandsAndCameWhileNobodyLookedKeepsOffAnOwnersCpus() throws Exception {
    Held db = create("db", "guaranteed", "app", 4);
    runtime.leave();
    Held odd =
        runtime.create(
            runtime.pod("odd", "besteffort").toBuilder()
                .putAnnotations(GuestRequest.ANNOTATION + "app", "nonsense")
                .build(),
            "app",
            0);
    runtime.meet();
    check("afterwards");
    assertThat(odd.cpus()).isEqualTo(CpuSet.parse("0-15").difference(db.cpus()));
    assertThat(agent.events().after(0))
        .anyMatch(event ->
            event.kind().equals("warning")
                && event.pod().equals("odd")
                && event.message().contains("expected RESOURCE=AMOUNT, found \"nonsense\""));
  }

  @Test
  void whereNoProcessOfASandboxIsNamedOneThatHasEndedKeepsItsCpus() throws Exception {
    runtime.nameNoProcesses();
    create("web", "besteffort", "app", 0);
    Held db = create("db", "guaranteed", "app", 8);
    agent.close();
    runtime.leave();
    runtime.stopUnheard(db.podUid());
    startAgent();
    runtime.meet();
    check("afterwards");
    assertThat(agent.call(() -> agent.node().cpusOf("uid-db/app", "app"))).contains(db.cpus());
  }

  @Test
  void aResizeIsNotUndoneByAReconnect() throws Exception {
    Held web = create("web", "burstable", "app", 2);
    runtime.resize(web, 400_000);
    runtime.leave();
    runtime.meet();
    check("after a reconnect");
    assertThat(web.quota()).isEqualTo(400_000);
    Held db = create("db", "guaranteed", "app", 2);
    runtime.resize(db, 400_000);
    assertThat(db.quota()).isEqualTo(-1);
    assertThat(db.cpus().size()).isEqualTo(2);
  }

  @Test
  void aCheckpointOfAKubeletIsTakenOverWithEveryContainerWhereItIs() throws Exception {
    Held one = create("db", "guaranteed", "one", 2);
    CpuSet cpus = one.cpus();
    Held gone = create("gone", "guaranteed", "one", 3);
    agent.close();
    runtime.leave();
    Files.delete(folder.resolve("state").resolve("berth_state"));
    runtime.remove(gone);
    startAgent();
    assertThat(agent.call(() -> agent.unknownHolders().keySet()))
        .containsExactly("uid-db/one", "uid-gone/one");
    runtime.meet();
    check("after the kubelet");
    assertThat(one.cpus()).isEqualTo(cpus);
    assertThat(agent.call(() -> agent.unknownHolders())).isEmpty();
    assertThat(agent.call(() -> Holding.all(agent.node()).keySet())).containsExactly("uid-db/one");
  }

  private PodSandbox refused(String name) {
    PodSandbox pod = runtime.pod(name, "guaranteed");
    assertThatThrownBy(() -> runtime.create(pod, "large", 40)).isInstanceOf(TtrpcException.class);
    assertThat(refusals()).contains("uid-" + name + "/large");
    return pod;
  }

  private List<String> refusals() {
    return agent.call(() ->
        agent.household().residents().all().stream()
            .filter(Resident::isRefused)
            .map(Resident::uid)
            .toList());
  }

  @Test
  void aRefusedPodWhoseSandboxLeftWhileTheAgentWasAwayIsForgotten() throws Exception {
    refused("big");
    agent.close();
    runtime.leave();
    startAgent();
    assertThat(refusals()).containsExactly("uid-big/large");
    runtime.meet();
    assertThat(refusals()).isEmpty();
  }

  @Test
  void aRefusedPodWhoseSandboxLeftWhileTheRuntimeWasAwayIsForgottenAndOneThatStaysIsNot()
      throws Exception {
    create("web", "besteffort", "app", 0);
    refused("big");
    runtime.create(refused("part"), "small", 2);
    runtime.leave();
    runtime.meet();
    assertThat(refusals()).containsExactly("uid-part/large");
    runtime.leave();
    runtime.stopUnheard("uid-part");
    runtime.meet();
    assertThat(refusals()).isEmpty();
  }

  @Test
  void aRefusedPodCanBeRemovedAndOneThatRunsIsItsRuntimes() throws Exception {
    runtime.create(refused("part"), "small", 2);
    assertThat(agent.call(() -> agent.remove("part"))).isPresent();
    assertThat(refusals()).isEmpty();
    assertThatThrownBy(() -> agent.call(() -> agent.remove("part")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("pod part: expected its runtime to remove it, which has started it");
    assertThat(agent.call(() -> agent.remove("nobody"))).isEmpty();
    check("afterwards");
  }
}
