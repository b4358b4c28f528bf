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
        new KubeletSettings(folder, containerd.groups().top(), containerd.socket(), freePort()),
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
                "--v",
                "2")
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
    URI where = URI.create("http://127.0.0.1:" + settings.port() + "/healthz");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
              .send(
                  HttpRequest.newBuilder(where).timeout(Duration.ofSeconds(1)).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
