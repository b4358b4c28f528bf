package dev.berth.agent;

import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cgroup.Bystanders;
import dev.berth.cpu.CpuSet;
import dev.berth.kubelet.NodeSettings;
import dev.berth.linux.Company;
import dev.berth.topology.Machines;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everybody else on this machine is kept off a CPU, so nothing else may run beside these tests. */
@Tag("slow")
@Tag("alone")
class UndisturbedAgentTest {
  private static final Path CPUSETS = Path.of("/sys/fs/cgroup/cpuset");
  private static final String ANNOTATION = "cpus.berth.dev/undisturbed";

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();
  private String everywhere;
  private Process bystander;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    RealAgent.assumeRealGroups();
    assumeTrue(Files.isWritable(CPUSETS), "needs cgroup v1");
    everywhere = Files.readString(CPUSETS.resolve("cpuset.cpus")).strip();
    bystander = begin("sleep", "1000");
    agent =
        RealAgent.start(folder, "--cpu-manager-reconcile-period", "300ms", "--reserved-cpus", "0");
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
    }
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
    Bystanders.find("berth-pretended-" + ProcessHandle.current().pid(), Company::isFixed)
        .keepOff(CpuSet.EMPTY);
    assertThat(allowed(ProcessHandle.current().pid())).isEqualTo(everywhere);
    assertThat(CPUSETS.resolve(others())).doesNotExist();
  }

  private String others() {
    return agent.cgroup() + "-others";
  }

  private Process begin(String... words) throws IOException {
    Process process = new ProcessBuilder(words).start();
    started.add(process);
    return process;
  }

  private static String allowed(long pid) throws IOException {
    return RealAgent.allowed(pid).toString();
  }

  private static String undisturbed(String name, String... command) {
    return pod(name, guaranteed(1), command)
        .replace(
            "{name: " + name + "}",
            "{name: " + name + ", annotations: {" + ANNOTATION + ": 'true'}}");
  }

  private void admit(String name, String yaml) throws IOException {
    assertThat(agent.apply(yaml).get(0).path("outcome").asString()).isEqualTo("admitted");
    assertThat(agent.container(name, "app").path("cpus").asString()).isEqualTo("1");
  }

  private String caution() {
    try {
      return agent.status().path("caution").asString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** One of the kernel's threads that may run anywhere and can be moved. */
  private static long kernelThread() throws IOException {
    for (long pid = 3; pid < 1_000; pid++) {
      Path comm = Path.of("/proc/" + pid + "/comm");
      if (Files.exists(comm) && Files.readString(comm).strip().matches("khugepaged|kswapd0")) {
        return pid;
      }
    }
    return abort("no thread of the kernel that can be moved");
  }

  @Test
  void everybodyElseIsElsewhereBeforeItsFirstInstructionAndBackAfterIt() throws Exception {
    long kernel = kernelThread();
    Path seen = folder.resolve("seen");
    String look = "grep Cpus_allowed_list /proc/" + bystander.pid() + "/status >" + seen;
    admit("db", undisturbed("db", "sh", "-c", look + "; exec sleep 1000"));
    await("it to run", () -> Files.exists(seen) && Files.size(seen) > 0);
    assertThat(Files.readString(seen)).isEqualTo("Cpus_allowed_list:\t0\n");
    assertThat(allowed(kernel)).isEqualTo("0");
    assertThat(allowed(begin("sleep", "1000").pid())).as("who comes later").isEqualTo("0");
    assertThat(agent.container("db", "app").path("undisturbed").asBoolean(false))
        .as(() -> "who disturbs: " + caution())
        .isTrue();
    assertThat(agent.status().path("caution").asString()).isEmpty();
    agent.remove("db");
    assertThat(allowed(bystander.pid())).isEqualTo(everywhere);
    assertThat(allowed(kernel)).isEqualTo(everywhere);
  }

  @Test
  void whoDoesNotAskForItSharesWithStrays() throws IOException {
    admit("db", pod("db", guaranteed(1), "sleep", "1000"));
    assertThat(allowed(bystander.pid())).isEqualTo(everywhere);
    assertThat(agent.container("db", "app").has("undisturbed")).isFalse();
  }

  @Test
  void anAgentThatWasKilledAndStartsAmongTheOthersStillHasItsMachine() throws Exception {
    admit("db", undisturbed("db", "sleep", "1000"));
    agent.kill();
    assertThat(allowed(bystander.pid())).as("its container runs on").isEqualTo("0");
    assertThat(allowed(ProcessHandle.current().pid())).as("who starts the next").isEqualTo("0");
    agent.startAgain();
    assertThat(agent.container("db", "app").path("cpus").asString()).isEqualTo("1");
    assertThat(agent.container("db", "app").path("undisturbed").asBoolean(false))
        .as(() -> "who disturbs: " + caution())
        .isTrue();
    assertThat(allowed(bystander.pid())).isEqualTo("0");
    agent.remove("db");
    assertThat(allowed(bystander.pid())).isEqualTo(everywhere);
    agent.end();
    assertThat(Files.readString(agent.log())).doesNotContain("stays in its group");
  }

  @Test
  void theNextAgentLetsGoWhomNobodyNeedsElsewhere() throws Exception {
    String once =
        undisturbed("job", "sleep", "1000").replace("spec:", "spec:\n  restartPolicy: Never");
    admit("job", once);
    await("it to run", () -> agent.container("job", "app").has("pid"));
    long pid = agent.container("job", "app").path("pid").asLong();
    agent.kill();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    agent.startAgain();
    await("them to be let go", () -> allowed(bystander.pid()).equals(everywhere));
  }

  @Test
  void repairsWhatAnotherChangedAndNamesWhoCannotBeMoved() throws Exception {
    admit("db", undisturbed("db", "sleep", "1000"));
    Files.writeString(CPUSETS.resolve(others()).resolve("cpuset.cpus"), everywhere);
    await("it to be repaired", () -> allowed(bystander.pid()).equals("0"));
    await("it to be told", () -> agent.ask("GET", "/events", "").contains("\"repaired\""));
    Process bound =
        begin("sh", "-c", "echo $$ > " + CPUSETS + "/cgroup.procs; exec taskset -c 1 sleep 1000");
    String words =
        "CPU 1 cannot be kept undisturbed: others may run there too, such as thread "
            + bound.pid()
            + " (sleep)";
    await("it to be named", () -> agent.status().path("caution").asString().equals(words));
    assertThat(agent.container("db", "app").path("undisturbed").asBoolean(true)).isFalse();
    bound.destroyForcibly().waitFor();
    await("it to be well", () -> agent.status().path("caution").asString().isEmpty());
    assertThat(agent.ask("GET", "/events", "").split("cannot be kept undisturbed", -1)).hasSize(2);
  }

  @Test
  void oneThatPretendsTouchesNobody() throws Exception {
    agent.end();
    agent.flags("--dry-run");
    agent.startAgain();
    admit("db", undisturbed("db", "sleep", "1000"));
    assertThat(allowed(bystander.pid())).isEqualTo(everywhere);
  }

  @Test
  void holdsForContainersOfARuntimeToo() throws Exception {
    // Closed whatever happens: an agent that is left alone keeps everybody elsewhere.
    try (ModelRuntime runtime = new ModelRuntime(folder.resolve("r.sock"));
        Agent beside =
            PretendedAgent.startBeside(
                new ForeignRuntime(ForeignRuntime.Kind.NRI, folder.resolve("r.sock")),
                Files.createDirectory(folder.resolve("beside")),
                Ground.fixed(Machines.parse("pack:1 node:1 l3:1 core:2 pu:1")),
                () -> NodeSettings.DEFAULTS,
                OutputStream.nullOutputStream())) {
      runtime.meet();
      Held db =
          runtime.create(
              runtime.pod("db", "guaranteed").toBuilder()
                  .putAnnotations(ANNOTATION, "true")
                  .build(),
              "app",
              1);
      String rest = db.cpus().contains(0) ? "1" : "0";
      await("others to go", () -> allowed(bystander.pid()).equals(rest));
      assertThat(beside.call(() -> beside.household().holds(CpuWish.UNDISTURBED, db.cpus())))
          .as(() -> beside.events().after(0).toString())
          .isTrue();
      runtime.removePod(db.podUid());
      await("others to be back", () -> allowed(bystander.pid()).equals(everywhere));
    }
  }
}
