package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.protocols.cri.ImageServiceGrpc;
import dev.berth.protocols.cri.ImageSpec;
import dev.berth.protocols.cri.ImageStatusRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A containerd in a process of its own. Its containers outlive it, unless it is closed. */
public final class RealContainerd extends RealRuntime {
  private static final String PREPARE = "e2e/runtime/prepare";
  private static final Path MEMORY = Path.of("/dev/shm");

  private RealContainerd(Path programs, Path folder, NodeGroups groups) throws IOException {
    super(
        programs,
        folder,
        groups,
        "containerd",
        "--config",
        folder.resolve("config.toml").toString());
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
    Path programs = assumeCurrent();
    return current(programs, newFolder(), registration, request);
  }

  /** The same as {@link #current()}, but nothing of it waits for a disk. */
  public static RealContainerd inMemory() throws IOException {
    assumeTrue(Files.isWritable(MEMORY), "real runtimes: need a file system in memory");
    Path programs = assumeCurrent();
    Path folder = Files.createTempDirectory(MEMORY, "berth-e2e-");
    return current(programs, folder, Duration.ofSeconds(5), Duration.ofSeconds(2));
  }

  private static Path assumeCurrent() {
    return assumePrepared("runtime/bin", "containerd", PREPARE);
  }

  private static RealContainerd current(
      Path programs, Path folder, Duration registration, Duration request) throws IOException {
    // It unpacks for its default snapshotter only, unless it is left to CRI.
    return start(
        programs,
        folder,
        new ContainerdSettings(folder, registration, request).current(),
        List.of("--no-unpack"));
  }

  /** Starts Debian's containerd 1.6: neither NRI nor events. */
  public static RealContainerd old() throws IOException {
    Path programs = assumePrepared("runtime/debian/usr/bin", "containerd", PREPARE);
    Path folder = newFolder();
    return start(
        programs,
        folder,
        new ContainerdSettings(folder, Duration.ZERO, Duration.ZERO).old(),
        List.of("--snapshotter", "native"));
  }

  private static RealContainerd start(
      Path programs, Path folder, String settings, List<String> importing) throws IOException {
    Files.writeString(folder.resolve("config.toml"), settings);
    Files.createDirectories(folder.resolve("state"));
    RealContainerd containerd = new RealContainerd(programs, folder, NodeGroups.open());
    try {
      containerd.awaitReady();
      containerd.importImage(importing);
      return containerd;
    } catch (IOException | AssertionError e) {
      throw containerd.broken(e);
    }
  }

  /** Returns when the part that serves CRI has heard of it too. */
  private void importImage(List<String> how) throws IOException {
    ProcessBuilder importing =
        logging(List.of("ctr", "-a", socket().toString(), "-n", "k8s.io", "images", "import"));
    importing.command().addAll(how);
    importing.command().add(ARCHIVE.toString());
    if (importing.start().onExit().join().exitValue() != 0) {
      throw new IOException("the image cannot be imported");
    }
    Waiting.until(
        "the image",
        () ->
            ImageServiceGrpc.newBlockingStub(channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .imageStatus(
                    ImageStatusRequest.newBuilder()
                        .setImage(ImageSpec.newBuilder().setImage(IMAGE))
                        .build())
                .hasImage());
  }

  /**
   * What {@code ctr} prints for these words.
   *
   * @throws IOException with what it complains of, where it fails
   */
  public String ctr(String... words) throws IOException {
    ProcessBuilder asking = command(List.of("ctr", "-a", socket().toString()));
    asking.command().addAll(List.of(words));
    Path complaints = folder().resolve("ctr.log");
    Process asked = asking.redirectError(complaints.toFile()).start();
    String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (asked.onExit().join().exitValue() != 0) {
      throw new IOException("ctr " + String.join(" ", words) + ": " + Files.readString(complaints));
    }
    return said;
  }
}
