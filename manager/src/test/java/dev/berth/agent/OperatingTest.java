package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.berth.linux.Posix;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent as those see it who operate it: metrics, reload, logs. */
@Tag("slow")
class OperatingTest {
  private static final int SIGHUP = 1;

  @TempDir private Path folder;
  private Path config;
  private RealAgent agent;

  @BeforeEach
  void start() throws IOException {
    config = folder.resolve("berth.yaml");
    configure("cpuManagerReconcilePeriod: 200ms\n");
    agent = RealAgent.start(folder, "--config", config.toString());
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      agent.close();
    }
  }

  private void configure(String yaml) throws IOException {
    Files.writeString(config, yaml);
  }

  private String value(String line) throws IOException {
    return agent
        .ask("GET", "/metrics", "")
        .lines()
        .filter(text -> text.startsWith(line + " "))
        .map(text -> text.substring(text.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("absent");
  }

  private String port() throws IOException {
    Matcher address = Pattern.compile("http://127.0.0.1:[0-9]+").matcher(read(agent.log()));
    assertThat(address.find()).isTrue();
    return address.group();
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }

  @Test
  void metricsFollowWhatHappens() throws Exception {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("late", guaranteed(1), "sleep", "1000"));
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    await("all to run", () -> value("berth_containers{state=\"running\"}").equals("2"));
    assertThat(value("berth_pods{phase=\"Running\"}")).isEqualTo("2");
    assertThat(value("berth_pods{phase=\"Failed\"}")).isEqualTo("1");
    assertThat(value("kubelet_cpu_manager_pinning_requests_total")).isEqualTo("2");
    assertThat(value("kubelet_cpu_manager_pinning_errors_total")).isEqualTo("1");
    assertThat(value("kubelet_cpu_manager_exclusive_cpu_allocation_count")).isEqualTo("1");
    assertThat(value("berth_admission_seconds_count")).isEqualTo("3");
    assertThat(value("berth_state_write_failures_total")).isEqualTo("0");
    assertThat(value("berth_group_write_failures_total")).isEqualTo("0");
    assertThat(value("berth_ready")).isEqualTo("1");
    assertThat(Long.parseLong(value("process_resident_memory_bytes"))).isGreaterThan(10 << 20);
    assertThat(Integer.parseInt(value("process_open_fds"))).isBetween(3, 200);
    assertThat(Integer.parseInt(value("berth_state_write_seconds_count"))).isBetween(2, 10);
    await("some reconciling", () -> !value("berth_reconcile_seconds_count").equals("0"));
    agent.end();
    agent.startAgain();
    assertThat(value("kubelet_cpu_manager_pinning_requests_total")).isEqualTo("0");
    assertThat(value("kubelet_cpu_manager_exclusive_cpu_allocation_count")).isEqualTo("1");
  }

  @Test
  void thePortAnswersAsACollectorExpects() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(port() + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(answer.body().lines())
          .allMatch(line ->
              line.matches("# (HELP|TYPE) [a-z_]+ .+")
                  || line.matches("[a-z_]+(\\{[a-z_]+=\".*\"})? [-+0-9.eEInf]+"));
      HttpResponse<String> config =
          client.send(
              HttpRequest.newBuilder(URI.create(port() + "/config")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(config.statusCode()).as("for those with the socket only").isEqualTo(404);
    }
  }

  @Test
  void aRepairIsCounted() throws IOException {
    agent.apply(pod("alone", guaranteed(1), "sleep", "1000"));
    await("it to run", () -> agent.container("alone", "app").has("pid"));
    Path v1 = Path.of("/sys/fs/cgroup/cpuset", agent.cgroup());
    Path root = Files.isDirectory(v1) ? v1 : Path.of("/sys/fs/cgroup", agent.cgroup());
    Files.writeString(root.resolve("pods/default_alone/app/cpuset.cpus"), "0-1");
    await("the repair", () -> value("berth_reconcile_repairs_total").equals("1"));
  }

  @Test
  void reloadChangesReservedCpusPolicyPeriodAndLogWhileContainersRun() throws IOException {
    agent.apply(pod("shared", "{}", "sleep", "1000"));
    await("it to run", () -> agent.container("shared", "app").has("pid"));
    long pid = agent.container("shared", "app").path("pid").asLong();
    configure(
        """
        reservedSystemCPUs: "1"
        cpuManagerReconcilePeriod: 1h
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
        topologyManagerPolicy: restricted
        berth: {logFormat: json}
        """);
    assertThat(agent.ask("POST", "/reload", "")).isEqualTo("reloaded\n");
    assertThat(agent.status().path("reserved").asString()).isEqualTo("1");
    assertThat(agent.status().path("shared").asString()).isEqualTo("0");
    assertThat(agent.status().path("topologyPolicy").asString()).isEqualTo("restricted");
    assertThat(allowed(pid)).as("one that shares, at once").hasToString("0");
    assertThat(allowed(agent.pid())).as("the agent itself").hasToString("1");
    assertThat(agent.ask("GET", "/config", "")).contains("cpuManagerReconcilePeriod: 3600s");
    assertThat(read(agent.log())).contains("\"message\":\"settings are in force\"");
    assertThat(value("berth_reloads_total{outcome=\"done\"}")).isEqualTo("1");
    configure("cpuManagerReconcilePeriod: 100ms\n");
    agent.ask("POST", "/reload", "");
    String before = value("berth_reconcile_seconds_count");
    await(
        "the new period to hold, though an hour was planned",
        () -> !value("berth_reconcile_seconds_count").equals(before));
  }

  @Test
  void sighupReloadsAndTheAgentLivesOn() throws IOException {
    assumeFalse(
        isHangupIgnored(), "needs SIGHUP not to be ignored from the start on, as nohup has it");
    configure("reservedSystemCPUs: \"1\"\n");
    Posix.kill(agent.pid(), SIGHUP);
    await("the reload", () -> agent.status().path("reserved").asString().equals("1"));
    configure("reservedSystemCPUs: \"77\"\n");
    Posix.kill(agent.pid(), SIGHUP);
    await("the word on it", () -> value("berth_reloads_total{outcome=\"refused\"}").equals("1"));
    assertThat(agent.status().path("reserved").asString()).isEqualTo("1");
    assertThat(read(agent.log())).contains("reload refused, nothing changed: ");
  }

  @Test
  void aFaultyFileChangesNothingAndSaysWhyInOneLine() throws IOException {
    String before = agent.ask("GET", "/config", "");
    Map<String, String> faults =
        Map.of(
            "cpuManagerPolicee: static\n",
            "cpuManagerPolicee",
            "reservedSystemCPUs: \"77\"\n",
            "77",
            "cpuManagerPolicy: none\n",
            "cpuManagerPolicy: expected static as at the start, found none; that takes a restart",
            "berth: {manifests: /nowhere}\n",
            "berth.manifests: expected none as at the start, found /nowhere; that takes a restart");
    for (Map.Entry<String, String> fault : faults.entrySet()) {
      configure(fault.getKey());
      assertThat(agent.ask("POST", "/reload", ""))
          .contains(fault.getValue())
          .satisfies(answer -> assertThat(answer.lines()).hasSize(1));
      assertThat(agent.ask("GET", "/config", "")).isEqualTo(before);
    }
    Files.delete(config);
    assertThat(agent.ask("POST", "/reload", "")).contains(config.toString()).contains("expected");
    assertThat(agent.isReady()).isTrue();
  }

  @Test
  void aLongLogIsRotatedWhileItsContainerWritesOn() throws IOException {
    configure("cpuManagerReconcilePeriod: 100ms\nberth: {containerLogMaxSize: 20Ki}\n");
    agent.ask("POST", "/reload", "");
    agent.apply(
        pod(
            "talks",
            "{}",
            "sh",
            "-c",
            "i=0; while [ $i -lt 2000 ]; do echo line $i of some length; i=$((i+1)); done;"
                + " while [ ! -e "
                + folder
                + "/go ]; do sleep 0.05; done; echo after; exec sleep 1000"));
    Path log = agent.state().resolve("logs/default_talks~app.log");
    Path old = agent.state().resolve("logs/default_talks~app.log.old");
    await("the rotation", () -> Files.exists(old) && Files.size(log) <= 20 << 10);
    Files.createFile(folder.resolve("go"));
    await("it to write on", () -> read(log).endsWith("after\n"));
    assertThat(Files.size(old)).isBetween(1L, 40L << 10);
    assertThat(agent.ask("GET", "/log/talks/app", "")).isEqualTo(read(old) + read(log));
    assertThat(Integer.parseInt(value("berth_container_log_rotations_total"))).isPositive();
    agent.remove("talks");
    assertThat(old).doesNotExist();
    assertThat(log).doesNotExist();
  }

  /** The JVM leaves a signal alone that it was started with as ignored. */
  private static boolean isHangupIgnored() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).strip(), 16) & 1) != 0;
      }
    }
    return false;
  }
}
