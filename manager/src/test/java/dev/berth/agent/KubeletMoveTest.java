package dev.berth.agent;

import static dev.berth.runtime.RealKubelet.ONE_CPU;
import static dev.berth.runtime.RealKubelet.TELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.runtime.Asks;
import dev.berth.runtime.RealContainerd;
import dev.berth.runtime.RealKubelet;
import dev.berth.runtime.RealPod;
import dev.berth.start.BerthJvm;
import dev.berth.workload.QosClass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what {@code docs/kubelet.md} says, command by command: a node's pods go from a real
 * kubelet's managers to Berth and back, and run on. CPU 0 is reserved.
 */
@Tag("slow")
class KubeletMoveTest {
  private static final Path DOCUMENT = Path.of("../docs/kubelet.md");
  private static final String CPUS = "cpu_manager_state";
  private static final String MEMORY = "memory_manager_state";
  private static final String STATIC =
      """
      cpuManagerPolicy: static
      cpuManagerReconcilePeriod: 1s
      reservedSystemCPUs: "0"
      memoryManagerPolicy: Static
      systemReserved: {memory: 400Mi}
      reservedMemory: [{numaNode: 0, limits: {memory: 500Mi}}]
      """;

  private static final String NOTHING = "{}";

  @TempDir Path folder;
  private RealContainerd containerd;
  private @Nullable RealKubelet kubelet;
  private @Nullable RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    RealAgent.assumeRealGroups();
    containerd = RealContainerd.current();
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

  /** The commands of a chapter of the document. */
  private static List<String> commands(String chapter) throws IOException {
    List<String> commands =
        Files.readAllLines(DOCUMENT).stream()
            .dropWhile(line -> !line.equals("## " + chapter))
            .skip(1)
            .takeWhile(line -> !line.startsWith("## "))
            .filter(line -> line.startsWith("    "))
            .map(String::strip)
            .toList();
    assertThat(commands).isNotEmpty();
    return commands;
  }

  private void does(String chapter, RealKubelet kubelet) throws Exception {
    for (String command : commands(chapter)) {
      switch (command) {
        case "systemctl stop kubelet" -> kubelet.end();
        case "systemctl start kubelet" -> kubelet.start();
        case "systemctl start berth" -> {
          agent = startAgent();
          refusesWhoeverAsksForThem();
        }
        case "systemctl stop berth" -> agent().end();
        default -> shell(command, kubelet);
      }
    }
  }

  private RealAgent startAgent() throws IOException {
    return RealAgent.startByNri(
        folder, containerd.nriSocket(), "--config", folder.resolve("etc/berth.yaml").toString());
  }

  private RealAgent agent() {
    if (agent == null) {
      throw new AssertionError("there is no agent yet");
    }
    return agent;
  }

  /** A command in folders of the test's own; what it says. It must succeed. */
  private String shell(String command, RealKubelet kubelet) throws IOException {
    String berth =
        BerthJvm.words(BerthJvm.SHORT).stream().collect(Collectors.joining("' '", "'", "'"));
    String here =
        command
            .replace("/var/lib/kubelet", kubelet.root().toString())
            .replace("/var/lib/berth", folder.resolve("state").toString())
            .replace("/etc/berth", folder.resolve("etc").toString());
    Process process =
        new ProcessBuilder("sh", "-ec", "berth() { " + berth + " \"$@\"; }\n" + here)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(command + ": " + said).isZero();
    return said;
  }

  @Test
  void podsRunOnFromTheKubeletToBerthAndBack() throws Exception {
    RealKubelet node = RealKubelet.on(containerd);
    kubelet = node;
    node.configure(STATIC);
    node.manifest("db", ONE_CPU, TELL);
    node.manifest("web", NOTHING, TELL);
    node.start();
    node.awaitOn("db", "1");
    node.awaitOn("web", "0");
    String cpus = Files.readString(node.root().resolve(CPUS));
    String memory = Files.readString(node.root().resolve(MEMORY));

    does("To Berth", node);
    isInCharge(cpus, memory, node);
    String late = replacesTheOwner(node);

    String ours = Files.readString(agent().state().resolve(CPUS));
    String ourMemory = Files.readString(agent().state().resolve(MEMORY));
    does("Back", node);
    assertThat(agent().state()).doesNotExist();
    node.manifest("after", NOTHING, TELL);
    node.awaitOn("after", "0");
    assertThat(node.log()).doesNotContainIgnoringCase("drain");
    assertThat(Files.readString(node.root().resolve(CPUS))).isEqualTo(ours).contains(late);
    assertThat(Files.readString(node.root().resolve(MEMORY))).isEqualTo(ourMemory).contains(late);
    assertThat(node.output("late")).containsExactly("1");
    assertThat(node.output("web")).containsExactly("0", "0-1", "0");

    node.withdraw("late");
    node.awaitOn("web", "0-1");
  }

  private void isInCharge(String cpus, String memory, RealKubelet node) throws IOException {
    assertThat(Files.readString(agent().log())).contains("1 unknown holder kept from checkpoints");
    assertThat(shell("berth ps --socket " + agent().socket(), node))
        .contains(RealKubelet.nameOf("db"), RealKubelet.nameOf("web"));
    assertThat(shell("berth events --no-follow --socket " + agent().socket(), node))
        .contains("adopted " + RealKubelet.nameOf("db"));
    assertThat(agent().container(RealKubelet.nameOf("db"), "app").path("exclusive").asBoolean())
        .isTrue();
    assertThat(agent().state().resolve(CPUS)).hasContent(cpus);
    assertThat(agent().state().resolve(MEMORY)).hasContent(memory);
    assertThat(node.output("db")).containsExactly("1");
    assertThat(node.output("web")).containsExactly("0");
  }

  /** While no kubelet runs, which would take away what it did not start. */
  private void refusesWhoeverAsksForThem() throws IOException {
    RealPod pod = containerd.pods().run("greedy", QosClass.GUARANTEED);
    assertThatThrownBy(() -> pod.start("app", Asks.limited(1_000, 64 << 20), TELL))
        .hasMessageContaining("berth: greedy/app: ")
        .hasMessageContaining("1 by " + RealKubelet.nameOf("db"));
    pod.remove();
  }

  /** The uid of one who came in the owner's place, and which the kubelet never placed. */
  private String replacesTheOwner(RealKubelet node) throws IOException {
    // A kubelet soon removes what a pod has told that is gone.
    assertThat(node.output("db")).containsExactly("1");
    node.withdraw("db");
    node.awaitOn("web", "0-1");
    node.manifest("late", ONE_CPU, TELL);
    node.awaitOn("late", "1");
    node.awaitOn("web", "0");
    String uid = agent().pod(RealKubelet.nameOf("late")).path("uid").asString();
    return uid.substring(0, uid.indexOf('/'));
  }
}
