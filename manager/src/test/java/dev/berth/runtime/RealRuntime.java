package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Posix;
import dev.berth.protocols.cri.ListPodSandboxRequest;
import dev.berth.protocols.cri.RuntimeServiceGrpc;
import dev.berth.rpc.RpcClient;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A runtime in a process of its own. Its containers outlive it, unless it is closed. */
public abstract sealed class RealRuntime implements AutoCloseable permits RealContainerd, RealCrio {
  /** The one image, which also stands in for the one of every sandbox. */
  static final String IMAGE = "localhost/busybox:berth";

  private static final Path TARGET = Path.of("../target").toAbsolutePath().normalize();

  /** The image as an OCI archive. */
  static final Path ARCHIVE = TARGET.resolve("runtime/image.tar");

  private final Path programs;
  private final List<String> command;
  private final Path folder;
  private final NodeGroups groups;
  private final RpcClient client;
  private final RealPods pods;
  private Process process;

  /**
   * Starts it. {@link #awaitReady} returns when it serves.
   *
   * @param programs the folder that is looked into first for whatever it starts
   * @param folder its own, with its settings in it
   * @param command its program and its words
   */
  RealRuntime(Path programs, Path folder, NodeGroups groups, String... command) throws IOException {
    this.programs = programs;
    this.folder = folder;
    this.groups = groups;
    this.command = List.of(command);
    client = RpcClient.of(folder.resolve("cri.sock"));
    pods = new RealPods(client.channel(), groups, Files.createDirectory(folder.resolve("logs")));
    process = launched();
  }

  /** Skips the test where this machine cannot run containers or a program is not prepared. */
  static Path assumePrepared(String programs, String program, String prepare) {
    Path folder = TARGET.resolve(programs);
    assumeTrue(Posix.effectiveUser() == 0, "real runtimes: need root");
    assumeTrue(
        Files.isExecutable(folder.resolve(program)) && Files.isRegularFile(ARCHIVE),
        "real runtimes: " + prepare + " has not made " + program);
    assumeTrue(isInstalled("runc"), "real runtimes: need runc");
    return folder;
  }

  static boolean isInstalled(String program) {
    return Files.isExecutable(Path.of("/usr/sbin", program))
        || Files.isExecutable(Path.of("/usr/bin", program));
  }

  /** Short, for a socket's path has 107 bytes at most. */
  static Path newFolder() throws IOException {
    return Files.createTempDirectory("berth-e2e-");
  }

  private Process launched() throws IOException {
    return logging(command).start();
  }

  /** A command among the programs that this runtime came with. */
  final ProcessBuilder command(List<String> words) {
    List<String> line = new ArrayList<>(words);
    line.set(0, programs.resolve(words.getFirst()).toString());
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().merge("PATH", programs + ":/usr/sbin:", (now, ours) -> ours + now);
    return builder;
  }

  /** The same, with all that it prints in the runtime's log. */
  final ProcessBuilder logging(List<String> words) {
    return command(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
  }

  /** The runtime serves before it has found its containers again, and refuses until then. */
  final void awaitReady() throws IOException {
    Waiting.until(
        "the runtime to be ready",
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

  /** Closes it, and tells why it did not start. */
  final AssertionError broken(Throwable cause) throws IOException {
    String log = log();
    close();
    return new AssertionError(command.getFirst() + " does not start: " + log, cause);
  }

  final Channel channel() {
    return client.channel();
  }

  /** Where it serves CRI. */
  public Path socket() {
    return folder.resolve("cri.sock");
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
    Freeze.stop(process.pid());
  }

  /** Lets it go on. */
  public void thaw() throws IOException {
    Freeze.thaw(process.pid());
  }

  @Override
  public void close() throws IOException {
    kill();
    client.close();
    new Leavings(folder, groups).remove();
  }
}
