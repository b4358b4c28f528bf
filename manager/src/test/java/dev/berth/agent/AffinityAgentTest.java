package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.ProcessId;
import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent of a user without any rights: processes bound one by one with sched_setaffinity. */
@Tag("slow")
@Timeout(120)
class AffinityAgentTest {
  private static final String[] OFTEN = {"--cpu-manager-reconcile-period", "300ms"};
  private static final String[] HARDLY = {"--cpu-manager-reconcile-period", "1h"};

  @TempDir private Path folder;
  private OtherUser user;

  @SuppressWarnings("NullAway.Init") // where a test wants one; a command brings its own
  private RealAgent agent;

  @BeforeEach
  void makeUser() throws IOException {
    user = OtherUser.in(folder);
  }

  @AfterEach
  void stop() {
    if (user != null) {
      user.end();
    }
    if (agent != null) {
      agent.close();
    }
  }

  private void start(String... flags) throws IOException {
    agent = RealAgent.startAs(user, flags);
  }

  private long pid(String pod) {
    try {
      return agent.pidOf(pod);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Where any thread of these processes may run, each set once. */
  private static Set<String> placesOf(List<Long> processes) throws IOException {
    Set<String> places = new TreeSet<>();
    for (long process : processes) {
      try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
        for (Path thread : threads.toList()) {
          places.add(allowed(Long.parseLong(thread.getFileName().toString())).toString());
        }
      }
    }
    return places;
  }

  /** The processes of the user whose command line begins so, wherever the program lies. */
  private List<Long> marked(String text) throws IOException {
    List<Long> found = new ArrayList<>();
    for (long pid : user.processes()) {
      if (commandLine(pid).startsWith(text)) {
        found.add(pid);
      }
    }
    return found;
  }

  private static String commandLine(long pid) {
    try {
      String words = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
      return words.replace('\0', ' ').replaceFirst("^\\S*/", "");
    } catch (IOException e) {
      // It has ended meanwhile.
      return "";
    }
  }

  @Test
  void aContainerThatRunsKeepsItsCpuAfterALossOfState() throws Exception {
    start(OFTEN);
    agent.apply(pod("first", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    long first = pid("first");
    long shared = pid("shared");
    agent.kill();
    for (String name : List.of("berth_state", "cpu_manager_state")) {
      Files.delete(agent.state().resolve(name));
    }
    agent.startAgain();
    String refused = agent.apply(pod("second", guaranteed(1), "sleep", "1000")).toString();
    assertThat(refused).contains("\"outcome\":\"refused\"");
    assertThat(allowed(first)).hasToString("1");
    assertThat(allowed(shared)).hasToString("0");
    agent.remove("default_first");
    agent.apply(pod("third", guaranteed(1), "sleep", "1000"));
    assertThat(allowed(pid("third"))).hasToString("1");
    agent.remove("default_shared");
  }

  @Test
  void saysOnceThatItMayNotKeepACpuAwake() throws Exception {
    start(OFTEN);
    String awake = "{name: db, annotations: {cpus.berth.dev/awake: 'true'}}";
    agent.apply(pod("db", guaranteed(1), "sleep", "1000").replace("{name: db}", awake));
    pid("db");
    String words = "cannot be kept awake: /sys/devices/system/cpu/cpu";
    assertThat(agent.status().path("caution").asString()).contains(words).doesNotContain("\n");
    assertThat(agent.container("db", "app").path("awake").asBoolean(true)).isFalse();
    long passes = agent.status().path("reconciling").path("passes").asLong();
    await(
        "it to look again",
        () -> agent.status().path("reconciling").path("passes").asLong() > passes + 1);
    assertThat(Files.readAllLines(agent.log()).stream().filter(line -> line.contains(words)))
        .hasSize(1);
  }

  @Test
  void saysWhyThereAreNoGroupsAndWhatThatDoesNotGuarantee() throws Exception {
    start(OFTEN);
    assertThat(Files.readString(agent.log()))
        .containsPattern("cgroup.*(not|cannot|no )")
        .contains(
            "processes are bound with sched_setaffinity: one can undo that for itself, others may"
                + " use its CPUs, and limits of CPU time, memory and hugepages do not hold");
    assertThat(agent.status().toString()).contains("bound with sched_setaffinity");
    assertThat(Finished.of(berth(user.words(), "ps", "--socket", agent.socket().toString())).text())
        .contains("sched_setaffinity");
    assertThat(placesOf(List.of(agent.pid()))).as("the agent's threads").containsExactly("0");
  }

  @Test
  void everyContainerIsOnItsCpusFromItsFirstInstructionOn() throws Exception {
    start(HARDLY);
    String command = "grep Cpus_allowed_list /proc/self/status; exec sleep 1000";
    agent.apply(
        pod("alone", guaranteed(1), "sh", "-c", command)
            + "---\n"
            + pod("shared", "{}", "sh", "-c", command));
    assertThat(allowed(pid("alone"))).hasToString("1");
    assertThat(allowed(pid("shared"))).hasToString("0");
    await(
        "both to print",
        () -> !agent.printedBy("alone").isEmpty() && !agent.printedBy("shared").isEmpty());
    assertThat(agent.printedBy("alone")).isEqualTo("Cpus_allowed_list:\t1\n");
    assertThat(agent.printedBy("shared")).isEqualTo("Cpus_allowed_list:\t0\n");
    assertThat(placesOf(marked("sh " + agent.runtime())))
        .as("the shells that watch")
        .containsExactly("0");
  }

  @Test
  void allThreadsAndChildrenFollowTheSharedPool() throws Exception {
    start(HARDLY);
    List<String> java = BerthJvm.words(BerthJvm.SHORT, user.classPath(), "dev.berth.agent.Sleeper");
    agent.apply(pod("threads", "{}", java.toArray(String[]::new)));
    agent.apply(
        pod("family", "{}", "sh", "-c", "(sleep 7771 & sleep 7771) & (sleep 7771 &) ; sleep 7771"));
    long threads = pid("threads");
    await("the family", () -> marked("sleep 7771").size() == 4);
    await("the threads", () -> agent.printedBy("threads").contains("there"));
    List<Long> all = new ArrayList<>(marked("sleep 7771"));
    all.add(threads);
    assertThat(placesOf(all)).containsExactly("0-1");
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    assertThat(placesOf(all)).containsExactly("0");
    agent.remove("alone");
    assertThat(placesOf(all)).containsExactly("0-1");
  }

  @Test
  void oneThatUndoesItsAffinityIsPutBackAndCounted() throws Exception {
    start(OFTEN);
    agent.apply(
        pod(
            "alone",
            guaranteed(1),
            "sh",
            "-c",
            "while :; do taskset -cp 0-1 $$$$; sleep 0.5; done"));
    long pid = pid("alone");
    await("it to undo it", () -> agent.printedBy("alone").contains("new affinity list: 0,1"));
    await("the repair", () -> allowed(pid).toString().equals("1"));
    await(
        "the repair to be told",
        () -> agent.ask("GET", "/events", "").contains("\"kind\":\"repaired\""));
  }

  @Test
  void oneThatStartsWhileThePoolShrinksIsRightSoonAfter() throws Exception {
    start(HARDLY);
    for (int i = 0; i < 15; i++) {
      StringBuilder several = new StringBuilder();
      for (int each = 0; each < 3; each++) {
        several.append(pod("late-" + i + "-" + each, "{}", "sleep", "7772")).append("---\n");
      }
      // Those shells are still on their way when the pool shrinks.
      agent.apply(several + pod("alone", guaranteed(1), "sleep", "7773"));
      await("all to run", () -> marked("sleep 7772").size() == 3);
      await("all to be right", () -> placesOf(marked("sleep 7772")).equals(Set.of("0")));
      assertThat(allowed(pid("alone"))).hasToString("1");
      agent.remove("alone");
      assertThat(placesOf(marked("sleep 7772"))).containsExactly("0-1");
      for (int each = 0; each < 3; each++) {
        agent.remove("late-" + i + "-" + each);
      }
    }
  }

  @Test
  void thePoolIsFollowedByAContainerThatWasStartedAgain() throws Exception {
    start(HARDLY);
    agent.apply(
        pod("again", "{}", "sh", "-c", "[ -f ran ] && exec sleep 1000; >ran; exit 1")
            .replace("command:", "workingDir: " + user.home() + ", command:"));
    await("a second start", () -> agent.container("again", "app").path("starts").asInt() == 2);
    long pid = pid("again");
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    assertThat(allowed(pid)).hasToString("0");
    agent.remove("alone");
    assertThat(allowed(pid)).hasToString("0-1");
  }

  @Test
  void theNextAgentFindsAndBindsEverybodyAgain() throws Exception {
    start(HARDLY);
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(
        pod("ends", "{}", "sh", "-c", "sleep 7774 & read line <" + fifo() + "; exit 7")
            .replace("spec:", "spec:\n  restartPolicy: Never"));
    long shared = pid("shared");
    long alone = pid("alone");
    pid("ends");
    Process command = run("--", "sh", "-c", "echo on; read line; exit 5");
    assertThat(command.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("on");
    agent.kill();
    Finished undone =
        Finished.of(
            new ProcessBuilder(
                    "sh", "-c", "taskset -cp 0-1 " + shared + ";taskset -cp 0-1 " + alone)
                .start());
    assertThat(undone.code()).isZero();
    Files.writeString(fifo(), "end\n");
    await("one to end meanwhile", () -> marked("sh -c sleep 7774").isEmpty());
    agent.startAgain();
    await("those to be bound", () -> placesOf(List.of(shared)).equals(Set.of("0")));
    await("the exclusive one too", () -> placesOf(List.of(alone)).equals(Set.of("1")));
    await("ends to be over", () -> agent.pod("ends").path("phase").asString().equals("Failed"));
    assertThat(agent.container("ends", "app").path("code").asInt()).isEqualTo(7);
    assertThat(marked("sleep 7774")).as("what it left behind").isEmpty();
    assertThat(agent.container("shared", "app").path("starts").asInt()).isEqualTo(1);
    agent.remove("alone");
    assertThat(allowed(shared)).hasToString("0-1");
    assertThat(placesOf(List.of(command.pid()))).as("the command").containsExactly("0-1");
    assertThat(placesOf(List.of(agent.pid()))).containsExactly("0");
    command.getOutputStream().close();
    assertThat(command.waitFor()).isEqualTo(5);
  }

  private Path fifo() throws IOException, InterruptedException {
    Path fifo = user.home().resolve("fifo");
    if (!Files.exists(fifo)) {
      List<String> words = new ArrayList<>(user.words());
      words.addAll(List.of("mkfifo", fifo.toString()));
      assertThat(new ProcessBuilder(words).start().waitFor()).isZero();
    }
    return fifo;
  }

  @Test
  void removingKillsTheWholeTreeAndLeavesNothing() throws Exception {
    start(HARDLY);
    agent.apply(
        pod(
                "stubborn",
                "{}",
                "sh",
                "-c",
                "trap '' TERM; (sleep 7775 &); sleep 7775 & setsid sleep 7775 & sleep 7775")
            .replace("terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: 1"));
    agent.apply(
        pod("brief", "{}", "sh", "-c", "(sleep 7776 &) ; sleep 7776 & exit 0")
            .replace("spec:", "spec:\n  restartPolicy: Never"));
    await("the tree", () -> marked("sleep 7775").size() == 4);
    await("brief to end", () -> agent.pod("brief").path("phase").asString().equals("Succeeded"));
    assertThat(marked("sleep 7776")).as("left behind by one that has ended").isEmpty();
    agent.remove("stubborn");
    assertThat(marked("sleep 7775")).isEmpty();
    await("the shells to end", () -> user.processes().equals(List.of(agent.pid())));
    agent.end();
    assertThat(user.processes()).isEmpty();
    assertThat(agent.socket()).doesNotExist();
  }

  private Process run(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("run", "--socket", socket().toString()));
    words.addAll(List.of("--state", user.home().resolve("state").toString()));
    words.addAll(List.of(arguments));
    return berth(user.words(), words.toArray(String[]::new));
  }

  private Path socket() {
    return user.home().resolve("berth.sock");
  }

  private Process berth(List<String> before, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(before);
    words.addAll(BerthJvm.words(BerthJvm.SHORT, user.classPath()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }

  /** How a process ended, and all it printed. */
  private record Finished(int code, String text) {
    static Finished of(Process process) throws IOException, InterruptedException {
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Finished(process.waitFor(), text);
    }
  }

  private void theBroughtAgentEnds() {
    await("the agent to end", () -> user.processes().isEmpty() && !Files.exists(socket()));
  }

  @Test
  void aCommandBringsItsOwnAgentWhichEndsWithIt() throws Exception {
    Process process =
        run(
            "--cpus",
            "1",
            "--",
            "sh",
            "-c",
            "grep Cpus_allowed_list /proc/self/status; echo $BERTH_CPUS; read line; exit 42");
    var reader = process.inputReader(StandardCharsets.UTF_8);
    assertThat(reader.readLine()).isEqualTo("Cpus_allowed_list:\t1");
    assertThat(reader.readLine()).isEqualTo("1");
    List<Long> agents = new ArrayList<>(user.processes());
    agents.remove(process.pid());
    assertThat(agents).as("the agent").hasSize(1);
    assertThat(placesOf(agents)).containsExactly("0");
    assertThat(process.children()).as("children of the command").isEmpty();
    process.getOutputStream().close();
    assertThat(process.waitFor()).isEqualTo(42);
    theBroughtAgentEnds();
  }

  @Test
  void ranksFollowThePoolEachByItself() throws Exception {
    Process ranks =
        run(
            "-n",
            "2",
            "--",
            "sh",
            "-c",
            "sleep 7777 & read line <" + fifo() + "; exit $BERTH_RANK");
    await("both ranks", () -> marked("sleep 7777").size() == 2);
    assertThat(placesOf(marked("sleep 7777"))).containsExactly("0-1");
    Process alone = run("--cpus", "1", "--", "sh", "-c", "echo on; read line; exit 0");
    assertThat(alone.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("on");
    assertThat(placesOf(marked("sleep 7777"))).containsExactly("0");
    assertThat(placesOf(marked("sh -c sleep 7777"))).containsExactly("0");
    alone.getOutputStream().close();
    assertThat(alone.waitFor()).isZero();
    await("the pool to grow", () -> placesOf(marked("sleep 7777")).equals(Set.of("0-1")));
    for (long rank : marked("sh -c sleep 7777")) {
      ProcessId.of(rank).orElseThrow().signal(9);
    }
    assertThat(ranks.waitFor()).isEqualTo(137);
    // Nothing tells any more whose they were, once their parents are gone: the documents say so.
    marked("sleep 7777").forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
    theBroughtAgentEnds();
  }

  @Test
  void nobodyButItsOwnerAndRootReachesIt() throws Exception {
    start(HARDLY);
    assertThat(agent.socket().getParent()).isReadable();
    Finished stranger =
        Finished.of(berth(user.strangersWords(), "ps", "--socket", agent.socket().toString()));
    assertThat(stranger.code()).isNotZero();
    assertThat(stranger.text()).contains("permission denied").hasLineCount(1);
    Finished command =
        Finished.of(
            berth(
                user.strangersWords(), "run", "--socket", agent.socket().toString(), "--", "true"));
    assertThat(command.code()).isNotZero();
    assertThat(command.text()).contains("permission denied").hasLineCount(1);
    Finished root = Finished.of(berth(List.of(), "ps", "--socket", agent.socket().toString()));
    assertThat(root.code()).isZero();
  }
}
