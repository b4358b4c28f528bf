package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.testing.Clients;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A kubelet without an API server, on a runtime whose folder and groups it shares. It runs the pods
 * of its manifests; those outlive it, as they do on a node.
 */
public final class RealKubelet implements AutoCloseable {
  /**
   * Has a mount namespace in which the paths that a kubelet cannot be told are ours, and in which
   * the kernel has the settings already that it would make.
   */
  private static final String APART =
      """
      set -e
      apart=$1; shift
      for name in lib log; do mkdir -p $apart/$name; mount --bind $apart/$name /var/$name; done
      while read -r name value; do
        echo $value >$apart/${name##*/}
        mount --bind $apart/${name##*/} /proc/sys/$name
      done <<END
      vm/overcommit_memory 1
      vm/panic_on_oom 0
      kernel/panic 10
      kernel/panic_on_oops 1
      kernel/keys/root_maxkeys 1000000
      kernel/keys/root_maxbytes 25000000
      END
      exec "$@"
      """;

  /** Resources that are worth a CPU of its own. */
  public static final String ONE_CPU = "{limits: {cpu: 1, memory: 64Mi}}";

  /** A script that tells where it may run with its first instruction, and whenever that changes. */
  public static final String TELL =
      "while true; do now=$(grep Cpus_allowed_list /proc/self/status | cut -f 2);"
          + " [ \"$now\" = \"$before\" ] || echo \"$now\"; before=$now; sleep 0.05; done";

  /** The node's name, which a kubelet adds to the name of a pod that it found in a file. */
  private static final String NODE = "node";

  private static final long LONGEST_END = 30;

  private final Path folder;
  private final KubeletSettings settings;
  private final String program;
  private @Nullable Process process;

  private RealKubelet(Path folder, KubeletSettings settings, String program) {
    this.folder = folder;
    this.settings = settings;
    this.program = program;
  }

  /** One that has not started. Its folder goes with the runtime's. */
  public static RealKubelet on(RealContainerd containerd) throws IOException {
    String program = Clients.program("kubelet");
    assumeTrue(Files.exists(Path.of("/usr/bin/unshare")), "without unshare");
    Path folder = containerd.folder().resolve("kubelet");
    Files.createDirectories(folder.resolve("manifests"));
    return new RealKubelet(
        folder,
        new KubeletSettings(
            folder,
            containerd.groups().top(),
            containerd.socket(),
            freePort(),
            freePort(),
            freePort()),
        program);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /**
   * Writes its configuration.
   *
   * @param managers the settings of its resource managers, as lines of YAML
   */
  public void configure(String managers) throws IOException {
    Files.createDirectories(root());
    Files.writeString(root().resolve("config.yaml"), settings.text(managers));
  }

  /** Starts it with the configuration that is there; returns when it says that it is well. */
  public void start() throws IOException {
    Process started =
        new ProcessBuilder(
                "unshare",
                "-m",
                "sh",
                "-c",
                APART,
                "sh",
                folder.resolve("apart").toString(),
                program,
                "--config",
                root().resolve("config.yaml").toString(),
                "--root-dir",
                root().toString(),
                "--hostname-override",
                NODE,
                // With events, of which no API server is told.
                "--v",
                "3")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    process = started;
    Waiting.until(
        "the kubelet to be well",
        () -> {
          if (!started.isAlive()) {
            throw new AssertionError("the kubelet ended: " + lastWords());
          }
          return isWell();
        });
  }

  private boolean isWell() {
    try {
      return ask(settings.port(), "/healthz").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static HttpResponse<String> ask(int port, String path) throws IOException {
    URI where = URI.create("http://127.0.0.1:" + port + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(where).timeout(Duration.ofSeconds(5)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** How a pod is, as Kubernetes' API says it; missing where it does not know the pod. */
  public JsonNode status(String pod) throws IOException {
    JsonNode pods = new ObjectMapper().readTree(ask(settings.readPort(), "/pods").body());
    for (JsonNode one : pods.path("items")) {
      if (one.path("metadata").path("name").asString().equals(nameOf(pod))) {
        return one.path("status");
      }
    }
    return MissingNode.getInstance();
  }

  private String lastWords() throws IOException {
    List<String> lines = log().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** Ends it as a service manager does. Its pods run on. */
  public void end() {
    Process running = process;
    if (running != null) {
      process = null;
      running.destroy();
      try {
        running.onExit().orTimeout(LONGEST_END, TimeUnit.SECONDS).join();
      } finally {
        running.destroyForcibly().onExit().join();
      }
    }
  }

  /** Where it has its configuration and checkpoints: on a node, {@code /var/lib/kubelet}. */
  public Path root() {
    return folder.resolve("root");
  }

  /** All that it has logged since its last start. */
  public String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** The lines of its log that are warnings about a pod, as an API server would be told. */
  public List<String> warnings(String pod) throws IOException {
    return log()
        .lines()
        .filter(line ->
            line.contains("\"Event occurred\" object=\"default/" + nameOf(pod) + "\"")
                && line.contains(" type=\"Warning\" "))
        .toList();
  }

  /** What a pod is called that was found in a file. */
  public static String nameOf(String pod) {
    return pod + "-" + NODE;
  }

  /**
   * Has it run a pod of one container, named {@code app}.
   *
   * @param resources in YAML's flow style
   * @param script for the shell; it is the container's first process
   */
  public void manifest(String pod, String resources, String script) throws IOException {
    String text =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          hostNetwork: true
          terminationGracePeriodSeconds: 1
          containers:
          - name: app
            image: %s
            imagePullPolicy: Never
            resources: %s
            command: ["/bin/sh", "-c", '%s']
        """
            .formatted(pod, RealRuntime.IMAGE, resources, script.replace("'", "''"));
    // Written aside, for a kubelet reads what it finds, however short.
    Path aside = Files.writeString(folder.resolve(pod + ".yaml"), text);
    Files.move(aside, folder.resolve("manifests").resolve(pod + ".yaml"));
  }

  /** Has it end a pod. */
  public void withdraw(String pod) throws IOException {
    Files.delete(folder.resolve("manifests").resolve(pod + ".yaml"));
  }

  /** What a pod's container has written so far, line by line, in all its attempts. */
  public List<String> output(String pod) throws IOException {
    if (!Files.isDirectory(folder.resolve("logs"))) {
      return List.of();
    }
    try (Stream<Path> files =
        Files.find(
            folder.resolve("logs"),
            3,
            (file, _) ->
                file.toString().endsWith(".log")
                    && file.toString().contains("/default_" + nameOf(pod) + "_"))) {
      return files.sorted().flatMap(RealKubelet::lines).toList();
    }
  }

  /** Returns once a pod that {@linkplain #TELL tells} where it may run has told this last. */
  public void awaitOn(String pod, String cpus) throws IOException {
    Waiting.until(
        pod + " to be on " + cpus,
        () -> {
          List<String> told = output(pod);
          return !told.isEmpty() && told.getLast().equals(cpus);
        });
  }

  private static Stream<String> lines(Path file) {
    try {
      // Each line begins with when, where to, and whether it is whole.
      return Files.readAllLines(file).stream().map(line -> line.split(" ", 4)[3]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    end();
  }
}
