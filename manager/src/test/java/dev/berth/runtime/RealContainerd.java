package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Posix;
import dev.berth.protocols.cri.ImageServiceGrpc;
import dev.berth.protocols.cri.ImageSpec;
import dev.berth.protocols.cri.ImageStatusRequest;
import dev.berth.protocols.cri.ListPodSandboxRequest;
import dev.berth.protocols.cri.RuntimeServiceGrpc;
import dev.berth.rpc.RpcClient;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A containerd in a process of its own. Its containers outlive it, unless it is closed. */
public final class RealContainerd implements AutoCloseable {
  private static final Path PREPARED = Path.of("../target/runtime").toAbsolutePath().normalize();
  private static final Path CURRENT = PREPARED.resolve("bin");
  private static final Path DEBIAN = PREPARED.resolve("debian/usr/bin");
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path IMAGE = PREPARED.resolve("image.tar");
  private static final int SIGSTOP = 19;
  private static final int SIGCONT = 18;

  private final Path programs;
  private final Path folder;
  private final NodeGroups groups;
  private final RpcClient client;
  private final RealPods pods;
  private Process process;

  private RealContainerd(Path programs, Path folder, NodeGroups groups) throws IOException {
    this.programs = programs;
    this.folder = folder;
    this.groups = groups;
    client = RpcClient.of(socket());
    pods = new RealPods(client.channel(), groups, Files.createDirectory(folder.resolve("logs")));
    process = launched();
  }

  /** Starts containerd 2 with NRI and the time-outs it has by default. */
  public static RealContainerd current() throws IOException {
    return current(Duration.ofSeconds(5), Duration.ofSeconds(2));
  }

  /**
   * Starts containerd 2 with NRI.
   *
   * @param registration how long a plugin may take from its connection to its registration
   * @param request how long a plugin may think about one request
   */
  public static RealContainerd current(Duration registration, Duration request) throws IOException {
    return current(newFolder(), registration, request);
  }

  /** The same as {@link #current()}, but nothing of it waits for a disk. */
  public static RealContainerd inMemory() throws IOException {
    assumeTrue(Files.isWritable(MEMORY), "real runtimes: need a file system in memory");
    Path folder = Files.createTempDirectory(MEMORY, "berth-e2e-");
    return current(folder, Duration.ofSeconds(5), Duration.ofSeconds(2));
  }

  private static RealContainerd current(Path folder, Duration registration, Duration request)
      throws IOException {
    assumePossible(CURRENT);
    return start(CURRENT, folder, new ContainerdSettings(folder, registration, request).current());
  }

  /** Starts Debian's containerd 1.6: neither NRI nor events. */
  public static RealContainerd old() throws IOException {
    assumePossible(DEBIAN);
    Path folder = newFolder();
    return start(
        DEBIAN, folder, new ContainerdSettings(folder, Duration.ZERO, Duration.ZERO).old());
  }

  private static void assumePossible(Path programs) {
    assumeTrue(Posix.effectiveUser() == 0, "real runtimes: need root");
    assumeTrue(
        Files.isExecutable(programs.resolve("containerd")) && Files.isRegularFile(IMAGE),
        "real runtimes: e2e/runtime/prepare has not made them");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/sbin/runc"))
            || Files.isExecutable(Path.of("/usr/bin/runc")),
        "real runtimes: need runc");
  }

  /** Short, for a socket's path has 107 bytes at most. */
  private static Path newFolder() throws IOException {
    return Files.createTempDirectory("berth-e2e-");
  }

  private static RealContainerd start(Path programs, Path folder, String settings)
      throws IOException {
    Files.writeString(folder.resolve("config.toml"), settings);
    Files.createDirectories(folder.resolve("state"));
    RealContainerd containerd = new RealContainerd(programs, folder, NodeGroups.open());
    try {
      containerd.awaitReady();
      containerd.importImage();
      return containerd;
    } catch (IOException | AssertionError e) {
      String log = containerd.log();
      containerd.close();
      throw new AssertionError("containerd does not start: " + log, e);
    }
  }

  private Process launched() throws IOException {
    return command("containerd", "--config", folder.resolve("config.toml").toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private ProcessBuilder command(String program, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addFirst(programs.resolve(program).toString());
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().merge("PATH", programs + ":/usr/sbin:", (now, ours) -> ours + now);
    return builder;
  }

  /** The runtime serves before it has found its containers again, and refuses until then. */
  private void awaitReady() throws IOException {
    Waiting.until(
        "containerd to be ready",
        () -> {
          if (!process.isAlive()) {
            throw new IOException("it ended");
          }
          try {
            var _ =
                RuntimeServiceGrpc.newBlockingStub(client.channel())
                    .withDeadlineAfter(1, TimeUnit.SECONDS)
                    .listPodSandbox(ListPodSandboxRequest.getDefaultInstance());
            return true;
          } catch (StatusRuntimeException e) {
            // A client that found nobody waits longer each time; this one is not to.
            client.channel().resetConnectBackoff();
            return false;
          }
        });
  }

  /** Returns when the part that serves CRI has heard of it too. */
  private void importImage() throws IOException {
    // The newer one unpacks for its default snapshotter only, unless it is left to CRI.
    List<String> how =
        programs.equals(CURRENT) ? List.of("--no-unpack") : List.of("--snapshotter", "native");
    ProcessBuilder importing =
        command("ctr", "-a", socket().toString(), "-n", "k8s.io", "images", "import");
    importing.command().addAll(how);
    importing.command().add(IMAGE.toString());
    Process done =
        importing
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    if (done.onExit().join().exitValue() != 0) {
      throw new IOException("the image cannot be imported");
    }
    Waiting.until(
        "the image",
        () ->
            ImageServiceGrpc.newBlockingStub(client.channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .imageStatus(
                    ImageStatusRequest.newBuilder()
                        .setImage(ImageSpec.newBuilder().setImage(ContainerdSettings.IMAGE))
                        .build())
                .hasImage());
  }

  /**
   * What {@code ctr} prints for these words.
   *
   * @throws IOException with what it complains of, where it fails
   */
  public String ctr(String... words) throws IOException {
    ProcessBuilder asking = command("ctr", "-a", socket().toString());
    asking.command().addAll(List.of(words));
    Path complaints = folder.resolve("ctr.log");
    Process asked = asking.redirectError(complaints.toFile()).start();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (asked.onExit().join().exitValue() != 0) {
      throw new IOException("ctr " + String.join(" ", words) + ": " + Files.readString(complaints));
    }
    return said;
  }

  /** Where it serves CRI. */
  public Path socket() {
    return folder.resolve("containerd.sock");
  }

  /** Where it takes plugins. */
  public Path nriSocket() {
    return folder.resolve("nri.sock");
  }

  /** A folder that goes when this goes. */
  public Path folder() {
    return folder;
  }

  /** All that it has logged. */
  public String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** The groups of its pods. */
  public NodeGroups groups() {
    return groups;
  }

  /** Drives it as a kubelet does. */
  public RealPods pods() {
    return pods;
  }

  /** Its process. */
  public long pid() {
    return process.pid();
  }

  /** Ends it at once, as a crash does. Containers go on. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Starts it again, after killing it if it still runs; returns when it is ready. */
  public void restart() throws IOException {
    kill();
    process = launched();
    awaitReady();
  }

  /** Stops it without ending it: connections stay, nobody answers. */
  public void freeze() throws IOException {
    Posix.kill(process.pid(), SIGSTOP);
  }

  /** Lets it go on. */
  public void thaw() throws IOException {
    Posix.kill(process.pid(), SIGCONT);
  }

  @Override
  public void close() throws IOException {
    kill();
    client.close();
    new Leavings(folder, groups).remove();
  }
}
