package dev.berth.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.CpuSet;
import dev.berth.http.HttpExchange;
import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * An agent in a process of its own, with real cgroups and real containers. Closing it stops every
 * container and leaves no process, group or folder behind.
 */
final class RealAgent implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path folder;
  private final String cgroup =
      "berth-test-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final List<String> flags = new ArrayList<>();
  private final List<String> before;
  private final List<String> berth;
  private final Path runtimes;
  private final Path locks;
  private Process process;

  private RealAgent(
      Path folder, List<String> before, List<String> berth, Path runtimes, List<String> flags)
      throws IOException {
    this.folder = folder;
    this.before = new ArrayList<>(before);
    this.berth = List.copyOf(berth);
    this.runtimes = runtimes;
    this.flags.addAll(flags);
    locks = folder.resolve("locks");
    process = launched();
  }

  /** Starts one whose things lie in a folder. */
  static RealAgent start(Path folder, String... flags) throws IOException {
    assumeRealGroups();
    return startBehind(folder, List.of(), flags);
  }

  /** The same for one that looks after the containers of a runtime by NRI. */
  static RealAgent startByNri(Path folder, Path runtime, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of("--runtime", "nri"));
    all.addAll(List.of("--runtime-socket", runtime.toString()));
    all.addAll(List.of(flags));
    return start(folder, all.toArray(String[]::new));
  }

  /** The same with another folder of locks than its own. */
  static RealAgent startWithLocks(Path folder, Path locks, String... flags) throws IOException {
    assumeRealGroups();
    RealAgent agent =
        new RealAgent(
            folder,
            List.of("env", "BERTH_LOCKS=" + locks),
            BerthJvm.words(BerthJvm.AGENT),
            Path.of("/run/berth"),
            List.of(flags));
    agent.awaitReady();
    return agent;
  }

  /** The same, by a command that becomes it. */
  static RealAgent startBehind(Path folder, List<String> before, String... flags)
      throws IOException {
    RealAgent agent =
        new RealAgent(
            folder, before, BerthJvm.words(BerthJvm.AGENT), Path.of("/run/berth"), List.of(flags));
    agent.awaitReady();
    return agent;
  }

  /** Starts one as a user without any rights. */
  static RealAgent startAs(OtherUser user, String... flags) throws IOException {
    RealAgent agent =
        new RealAgent(
            user.home(),
            user.words(),
            BerthJvm.words(BerthJvm.AGENT, user.classPath()),
            user.home().resolve("run/berth"),
            List.of(flags));
    agent.awaitReady();
    return agent;
  }

  /**
   * Starts one in a mount namespace of its own, with its state on a small disk of its own; {@link
   * #inside} does something there.
   */
  static RealAgent startOnSmallDisk(Path folder, String... flags) throws IOException {
    assumeRealGroups();
    assumeTrue(Files.exists(Path.of("/usr/bin/unshare")), "without unshare");
    String script =
        "mount -t tmpfs -o size=256k,mode=700 berth-test \"$1\" && shift && exec \"$@\"";
    Path state = Files.createDirectories(folder.resolve("state"));
    return startBehind(
        folder, List.of("unshare", "-m", "sh", "-c", script, "sh", state.toString()), flags);
  }

  /** Runs a command in the agent's mount namespace; how it ended. */
  int inside(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("nsenter", "-t", String.valueOf(pid()), "-m", "sh", "-c", command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  static void assumeRealGroups() {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for cgroups");
    assumeTrue(
        Files.isWritable(Path.of("/sys/fs/cgroup/cpuset"))
            || Files.isRegularFile(Path.of("/sys/fs/cgroup/cgroup.controllers")),
        "needs cgroups");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs, one to give away");
  }

  /** Starts the process, and returns before it is ready. */
  void begin() throws IOException {
    process = launched();
  }

  private Process launched() throws IOException {
    List<String> words = new ArrayList<>(before);
    words.addAll(berth);
    words.addAll(List.of("agent", "--state", state().toString(), "--socket", socket().toString()));
    words.addAll(List.of("--http", "127.0.0.1:0", "--cgroup", cgroup));
    words.addAll(flags);
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()));
    builder.environment().put("BERTH_LOCKS", locks.toString());
    return builder.start();
  }

  void awaitReady() throws IOException {
    try {
      await(
          "the agent to be ready",
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError("the agent ended: " + Files.readString(log()));
            }
            return isReady();
          });
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  boolean isReady() {
    try (HttpExchange exchange = HttpExchange.send(socket(), "GET", "/readyz", "")) {
      return exchange.status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  Path state() {
    return folder.resolve("state");
  }

  Path socket() {
    return folder.resolve("berth.sock");
  }

  /** Where the agent and the shells of its containers speak with one another. */
  Path runtime() {
    return Leftovers.runtime(runtimes, state());
  }

  Path log() {
    return folder.resolve("agent.log");
  }

  String cgroup() {
    return cgroup;
  }

  long pid() {
    return process.pid();
  }

  /** Words before the agent's own from the next start on, such as {@code taskset -c 0}. */
  void before(String... words) {
    before.clear();
    before.addAll(List.of(words));
  }

  /** Flags from the next start on. */
  void flags(String... others) {
    flags.clear();
    flags.addAll(List.of(others));
  }

  /** Kills it at once, as a power failure of its own would. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends it as it likes to be ended. */
  void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new AssertionError("the agent does not end");
    }
  }

  void startAgain() throws IOException {
    begin();
    awaitReady();
  }

  /** What it answers. */
  String ask(String method, String target, String body) throws IOException {
    try (HttpExchange exchange = HttpExchange.send(socket(), method, target, body)) {
      return exchange.text();
    }
  }

  JsonNode apply(String yaml) throws IOException {
    String answer = ask("POST", "/pods?source=pods.yaml", yaml);
    try {
      return MAPPER.readTree(answer).path("pods");
    } catch (tools.jackson.core.JacksonException e) {
      throw new AssertionError(answer, e);
    }
  }

  JsonNode status() throws IOException {
    return MAPPER.readTree(ask("GET", "/pods", ""));
  }

  /** Waits until so many more reconcile passes have begun and ended. */
  void awaitPasses(int more) throws IOException {
    long before = status().path("reconciling").path("passes").asLong();
    await(
        more + " passes",
        () -> status().path("reconciling").path("passes").asLong() >= before + more);
  }

  /** A pod in {@link #status}, or what is missing. */
  JsonNode pod(String name) throws IOException {
    for (JsonNode pod : status().path("pods")) {
      if (pod.path("name").asString().equals(name)) {
        return pod;
      }
    }
    return MAPPER.missingNode();
  }

  /** A container in {@link #status}; another runtime's containers are decided on one by one. */
  JsonNode container(String pod, String name) throws IOException {
    for (JsonNode part : status().path("pods")) {
      for (JsonNode container : part.path("containers")) {
        if (part.path("name").asString().equals(pod)
            && container.path("name").asString().equals(name)) {
          return container;
        }
      }
    }
    return MAPPER.missingNode();
  }

  /** The process of a pod's container {@code app}, once it runs. */
  long pidOf(String pod) throws IOException {
    await(pod + " to run", () -> container(pod, "app").has("pid"));
    return container(pod, "app").path("pid").asLong();
  }

  /** The CPUs that a pod's container {@code app} is said to have. */
  CpuSet cpusOf(String pod) throws IOException {
    return CpuSet.parse(container(pod, "app").path("cpus").asString());
  }

  /** All that a pod's container {@code app} has printed. */
  String printedBy(String pod) throws IOException {
    return ask("GET", "/log/" + pod + "/app", "");
  }

  void remove(String pod) throws IOException {
    String answer = ask("DELETE", "/pods/" + pod, "");
    if (!answer.equals("removed\n")) {
      throw new AssertionError(answer);
    }
  }

  /** A pod of one container that runs a command, with resources in YAML flow style. */
  static String pod(String name, String resources, String... command) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      terminationGracePeriodSeconds: 5
      containers:
      - {name: app, resources: %s, command: %s}
    """
        .formatted(name, resources, MAPPER.valueToTree(List.of(command)));
  }

  /** Resources that make a pod guaranteed, with so many CPUs. */
  static String guaranteed(int cpus) {
    return "{limits: {cpu: " + cpus + ", memory: 64Mi}}";
  }

  /** Where a process may run, as the kernel has it. */
  static CpuSet allowed(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("Cpus_allowed_list:")) {
        return CpuSet.parse(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    throw new AssertionError("no Cpus_allowed_list of " + pid);
  }

  /** Waits until something is so. */
  static void await(String what, Callable<Boolean> condition) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!condition.call()) {
        if (System.nanoTime() > until) {
          throw new AssertionError("waited in vain for " + what);
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (Exception e) {
      throw new AssertionError("while waiting for " + what, e);
    }
  }

  /** The groups of this agent that there are, in any hierarchy. */
  List<Path> groups() throws IOException {
    return Leftovers.groups(cgroup);
  }

  @Override
  public void close() {
    try {
      kill();
      Leftovers.clean(cgroup, runtime());
      Files.deleteIfExists(socket());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("cannot clean up after " + cgroup, e);
    }
  }
}
