package dev.berth.agent.state;

import static dev.berth.agent.state.Fixture.CONFIGURATION;
import static dev.berth.agent.state.Fixture.MACHINE;
import static dev.berth.agent.state.Fixture.admit;
import static dev.berth.agent.state.Fixture.files;
import static dev.berth.agent.state.Fixture.node;
import static dev.berth.agent.state.Fixture.shared;
import static dev.berth.agent.state.Fixture.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemorySettings;
import dev.berth.ledger.Node;
import dev.berth.workload.Container;
import dev.berth.workload.Container.Role;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
  @TempDir Path temporary;

  private Path folder = Path.of("");
  private final Node node = node();
  private final FailingDisks disks = new FailingDisks();

  @BeforeEach
  void name() {
    folder = temporary.resolve("berth");
  }

  private StateFolder open() throws IOException {
    return disks.open(folder);
  }

  private FailingDisk disk() {
    return disks.latest();
  }

  private static Pod withDevice(String uid) {
    Map<String, Quantity> amounts =
        Map.of(
            Resources.CPU,
            Quantity.of(1),
            Resources.MEMORY,
            Quantity.of(1L << 20),
            "example.com/gpu",
            Quantity.of(1));
    Container app = new Container("app", Role.APP, Resources.guaranteed(amounts));
    return Pod.of(uid, List.of(app)).withEphemeral("debugger");
  }

  @Test
  void aNewFolderIsForItsOwnerAlone() throws IOException {
    try (StateFolder state = open()) {
      assertThat(state.recovered().why()).containsExactly("state: nothing before");
      assertThat(state.recovered().pods()).isEmpty();
      assertThat(state.folder()).isEqualTo(folder);
      assertThat(files(folder)).isEmpty();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
  }

  @Test
  void everythingThatHappenedIsThereAgain() throws IOException {
    Pod device = withDevice("device");
    try (StateFolder state = open()) {
      state.settled("boot-1", node, Map.of());
      for (Pod pod : List.of(Pod.guaranteed("one", 2), shared("two"), device)) {
        admit(node, pod);
        state.admitted(pod, spec(pod.uid()), node);
      }
      state.refused(Pod.guaranteed("large", 90), spec("large"), "UnexpectedAdmissionError: no");
      admit(node, Pod.guaranteed("three", 1));
      state.admitted(Pod.guaranteed("three", 1), spec("three"), node);
      state.stopping("one");
      node.remove("three");
      state.ended("three", "Succeeded", "{\"app\":0}", node);
      node.remove("two");
      state.removed("two", node);
      assertThatThrownBy(() -> state.removed("two", node))
          .isInstanceOf(IllegalArgumentException.class);
    }
    Recovered found = StateFolder.look(folder);
    assertThat(found.why())
        .containsExactly("state: 4 pods kept from berth_state, checkpoints agree");
    assertThat(found.bootId()).contains("boot-1");
    assertThat(found.policy()).contains("static");
    assertThat(found.pods())
        .extracting(PodRecord::uid)
        .containsExactly("one", "device", "large", "three");
    assertThat(found.pods())
        .extracting(PodRecord::standing)
        .containsExactly(
            new Standing.Stopping(),
            new Standing.Admitted(),
            new Standing.Refused("UnexpectedAdmissionError: no"),
            new Standing.Ended("Succeeded", "{\"app\":0}"));
    assertThat(found.pods().get(1))
        .isEqualTo(
            new PodRecord(
                device,
                spec("device"),
                Holding.of(node, "device"),
                Optional.empty(),
                new Standing.Admitted()));
    assertThat(found.pods().get(1).holding().devices())
        .hasToString("{app={example.com/gpu=[gpu-0]}}");
    assertThat(found.holdings()).isEqualTo(Holding.all(node));
    assertThat(found.memory()).isEqualTo(node.memoryAssignments());
  }

  @Test
  void checkpointsAreKubernetesOwn() throws IOException {
    try (StateFolder state = open()) {
      state.settled("boot-1", node, Map.of());
      admit(node, Pod.guaranteed("one", 2));
      state.admitted(Pod.guaranteed("one", 2), "{}", node);
      assertThat(files(folder))
          .containsEntry(
              "cpu_manager_state",
              CpuCheckpoint.of(node.assignments(), CONFIGURATION.gates()).write())
          .containsEntry(
              "memory_manager_state",
              MemoryCheckpoint.of(node.memoryAssignments().orElseThrow(), CONFIGURATION.gates())
                  .write())
          .hasSize(3);
      Node other = Node.start(MACHINE, CONFIGURATION.with(MemorySettings.NONE));
      state.settled("boot-1", other, Map.of("one", "memory is not counted any more"));
      assertThat(files(folder)).doesNotContainKey("memory_manager_state");
      assertThat(state.pods().getFirst().displaced()).contains("memory is not counted any more");
      assertThat(state.pods().getFirst().holding()).isEqualTo(Holding.NOTHING);
    }
    assertThat(StateFolder.look(folder).pods().getFirst().displaced())
        .contains("memory is not counted any more");
  }

  /** The numbers that docs/state.md states. */
  @Test
  void anAdmissionTakesSoManySyncsAndNoMore() throws IOException {
    Node cpusAlone = Node.start(MACHINE, CONFIGURATION.with(MemorySettings.NONE));
    try (StateFolder state = open()) {
      state.settled("boot-1", cpusAlone, Map.of());
      assertThat(syncs(state, cpusAlone, Pod.guaranteed("one", 1))).isEqualTo(3);
      assertThat(syncs(state, cpusAlone, shared("two"))).isEqualTo(1);
      disk().mend();
      state.settled("boot-1", node, Map.of());
      assertThat(syncs(state, node, Pod.guaranteed("three", 1))).isEqualTo(4);
      assertThat(syncs(state, node, shared("four"))).isEqualTo(1);
      disk().mend();
      state.refused(shared("five"), "{}", "no");
      state.removed("five", node);
      assertThat(disk().syncs()).isEqualTo(0);
      node.remove("three");
      state.removed("three", node);
      assertThat(disk().syncs()).isEqualTo(4);
    }
  }

  private int syncs(StateFolder state, Node on, Pod pod) throws IOException {
    admit(on, pod);
    disk().mend();
    state.admitted(pod, "{}", on);
    return disk().syncs();
  }

  @Test
  void nobodyElseMayHaveTheFolder() throws IOException {
    try (StateFolder state = open()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(this::open)
            .isInstanceOf(InvalidInputException.class)
            .hasMessage(
                "state folder %s: expected nobody else in it, found it in use by process %d",
                state.folder(), ProcessHandle.current().pid());
      }
      assertThat(Files.readString(folder.resolve("lock")))
          .isEqualTo(ProcessHandle.current().pid() + "\n");
    }
    open().close();
  }

  @Test
  void theJournalStaysSmall() throws IOException {
    Pod pod = shared("long");
    String spec = "x".repeat(10_000);
    long most = 0;
    try (StateFolder state = open()) {
      state.settled("boot-1", node, Map.of());
      for (int i = 0; i < 100; i++) {
        state.admitted(pod, spec, node);
        most = Math.max(most, Files.size(folder.resolve("berth_state")));
        state.removed("long", node);
      }
      state.admitted(pod, spec, node);
    }
    assertThat(most).isBetween(256_000L, 300_000L);
    assertThat(StateFolder.look(folder).pods()).extracting(PodRecord::spec).containsExactly(spec);
  }

  @Test
  void nothingIsWrittenBeforeItIsSettled() throws IOException {
    try (StateFolder state = open()) {
      assertThatThrownBy(() -> state.admitted(shared("one"), "{}", node))
          .isInstanceOf(IllegalStateException.class);
      assertThat(files(folder)).isEmpty();
    }
  }

  @Test
  void aFileInItsPlaceIsNamed() throws IOException {
    Files.createFile(folder);
    assertThatThrownBy(this::open)
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(folder + ": expected a folder, found something else");
  }

  @Test
  void whatIsWrittenDownIsItsOwnersAlone() throws IOException {
    try (StateFolder state = open()) {
      Node now = node();
      state.settled("boot", now, Map.of());
      Pod pod = shared("a");
      admit(now, pod);
      state.admitted(pod, spec("a"), now);
      state.settled("boot", now, Map.of());
      for (String name : List.of(Journal.FILE, Checkpoints.CPU, Checkpoints.MEMORY)) {
        assertThat(
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
            .as(name)
            .isEqualTo("rw-------");
      }
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFolderThatOthersCanWriteIsRefused() throws IOException {
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(this::open)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("state folder " + folder + ": expected that only its owner");
    assertThat(folder.resolve("lock")).doesNotExist();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    open().close();
    Path journal = Files.createFile(folder.resolve(Journal.FILE));
    Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(this::open).hasMessageContaining(journal + ": expected that only its owner");
  }
}
