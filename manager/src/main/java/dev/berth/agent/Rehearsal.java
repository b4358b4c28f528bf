package dev.berth.agent;

import dev.berth.agent.state.StateFolder;
import dev.berth.kubelet.OwnSettings.LogFormat;
import dev.berth.ledger.Node;
import dev.berth.nri.NriPeer;
import dev.berth.protocols.nri.ConfigureRequest;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainer;
import dev.berth.protocols.nri.LinuxMemory;
import dev.berth.protocols.nri.LinuxPodSandbox;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.OptionalUInt64;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.StopContainerRequest;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.UpdateContainersResponse;
import dev.berth.ttrpc.TtrpcException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Plays the coming and going of containers before the first one comes, with everything an agent has
 * but its books: those are a copy that is thrown away.
 *
 * <p>A node starts a few containers a day, and whoever starts one waits for our answer. Code that
 * has never run takes ten times as long as code that has: so it runs now, when nobody waits.
 */
public final class Rehearsal implements AutoCloseable {
  private static final int ROUNDS = 60;
  private static final long LONGEST_NANOS = 600_000_000;
  private static final String FOLDER = "rehearsal";
  private static final long PERIOD = 100_000;
  private static final long MEMORY = 1 << 20;

  private final Loop loop;
  private final StateFolder state;
  private final PluginDevices plugins;
  private final NriLink link;
  private final ServerSocketChannel server;

  private Rehearsal(Path folder, Node node) throws IOException {
    loop = new Loop(_ -> {});
    state = StateFolder.openApart(folder);
    state.settled("", node, Map.of());
    Metrics metrics = new Metrics("");
    Books books = new Books(node, state, metrics, false, loop, (_, _) -> {});
    AgentLog log =
        new AgentLog(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            Clock.systemUTC(),
            LogFormat.TEXT);
    plugins = new PluginDevices(loop, books, metrics, log::line, () -> {}, List::of);
    Path socket = folder.resolve("nri.sock");
    server = NriPeer.listen(socket);
    NriLink[] linked = new NriLink[1];
    Events events = new Events(log::event);
    var _ =
        new Guests(
            books,
            plugins,
            events,
            metrics,
            loop,
            new Wishes(Map.of()),
            Set::of,
            _ -> {},
            guests -> linked[0] = new NriLink(socket, guests, plugins, loop, log::line, false));
    link = linked[0];
  }

  /**
   * Plays it, in a folder below this one, which is gone afterwards.
   *
   * @param node one like the agent's own, with nobody on it
   * @throws IOException where it could not be played to its end
   */
  public static void play(Path state, Node node) throws IOException {
    Path folder = state.resolve(FOLDER);
    remove(folder);
    try (Rehearsal rehearsal = new Rehearsal(folder, node)) {
      rehearsal.play();
    } catch (TtrpcException e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      remove(folder);
    }
  }

  private void play() throws IOException, TtrpcException, InterruptedException {
    link.begin();
    try (NriPeer runtime =
        NriPeer.accept(server, _ -> UpdateContainersResponse.getDefaultInstance())) {
      runtime.registered();
      runtime.call("Configure", ConfigureRequest.getDefaultInstance());
      runtime.call("Synchronize", SynchronizeRequest.getDefaultInstance());
      long began = System.nanoTime();
      for (int i = 0; i < ROUNDS && System.nanoTime() - began < LONGEST_NANOS; i++) {
        // One that shares stays for a round, so that somebody has to move.
        comeAndGo(runtime, "shares-" + i, "burstable/", i > 0 ? "shares-" + (i - 1) : "");
        comeAndGo(runtime, "owns-" + i, "", "owns-" + i);
      }
    }
  }

  private static void comeAndGo(NriPeer runtime, String coming, String qos, String going)
      throws IOException, TtrpcException {
    PodSandbox pod = pod(coming, qos);
    Container container = container(pod);
    try {
      runtime.call(
          "CreateContainer",
          CreateContainerRequest.newBuilder().setPod(pod).setContainer(container).build());
    } catch (TtrpcException e) {
      // There is no room on this machine: then that is what is rehearsed.
      return;
    }
    StopContainerRequest about =
        StopContainerRequest.newBuilder().setPod(pod).setContainer(container).build();
    runtime.call("PostStartContainer", about);
    if (!going.isEmpty()) {
      PodSandbox gone = pod(going, qos);
      StopContainerRequest left =
          StopContainerRequest.newBuilder().setPod(gone).setContainer(container(gone)).build();
      runtime.call("StopContainer", left);
      runtime.call("RemoveContainer", left);
      runtime.call("RemovePodSandbox", StopContainerRequest.newBuilder().setPod(gone).build());
    }
  }

  private static PodSandbox pod(String name, String qos) {
    return PodSandbox.newBuilder()
        .setId("sandbox-" + name)
        .setName(name)
        .setNamespace(FOLDER)
        .setUid(name)
        .setLinux(LinuxPodSandbox.newBuilder().setCgroupParent("/kubepods/" + qos + "pod" + name))
        .build();
  }

  private static Container container(PodSandbox pod) {
    LinuxResources resources =
        LinuxResources.newBuilder()
            .setCpu(
                LinuxCPU.newBuilder()
                    .setShares(OptionalUInt64.newBuilder().setValue(1_024))
                    .setQuota(OptionalInt64.newBuilder().setValue(PERIOD))
                    .setPeriod(OptionalUInt64.newBuilder().setValue(PERIOD)))
            .setMemory(
                LinuxMemory.newBuilder().setLimit(OptionalInt64.newBuilder().setValue(MEMORY)))
            .build();
    return Container.newBuilder()
        .setId("container-" + pod.getName())
        .setPodSandboxId(pod.getId())
        .setName("app")
        .setLinux(LinuxContainer.newBuilder().setResources(resources))
        .build();
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    link.close();
    server.close();
    plugins.close();
    loop.close();
    state.close();
  }
}
