package dev.berth.agent;

import static dev.berth.deviceplugin.FakePlugin.device;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.state.StateFolder;
import dev.berth.deviceplugin.FakePlugin;
import dev.berth.deviceplugin.FakePlugin.Call;
import dev.berth.kubelet.RunnablePod;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Node;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is told what a plugin answered, where the loop has other things to do first. */
class PreparationTest {
  private static final String GPU = "vendor.example/gpu";

  @TempDir private Path folder;
  private Loop loop;
  private StateFolder state;
  private PluginDevices devices;
  private Preparation preparation;
  private FakePlugin plugin;
  private Tenant tenant;
  private final List<Optional<String>> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    loop =
        new Loop(fault -> {
          throw fault;
        });
    state = StateFolder.open(folder.resolve("state"));
    Metrics metrics = new Metrics("test");
    Node node = Node.builder(Machines.parse("pack:1 core:4 pu:1"), Configuration.DEFAULTS).start();
    state.settled("boot", node, Map.of());
    Books books = new Books(node, state, metrics, false, loop, (_, _) -> {});
    devices = new PluginDevices(loop, books, metrics, _ -> {}, () -> {}, List::of);
    devices.open(folder.resolve("p"), false);
    plugin = FakePlugin.start(folder.resolve("p"), "gpu.sock", device("gpu-0", true));
    plugin.register(GPU);
    RealAgent.await("its device", () -> loop.call(() -> books.node().devices().size() == 1));
    String pod = RealAgent.pod("train", "{limits: {vendor.example/gpu: 1}}", "true");
    tenant = new Tenant(RunnablePod.read("a", pod).getFirst(), Origin.APPLY, Optional.empty());
    assertThat(loop.call(() -> books.node().admit(tenant.request())))
        .isInstanceOf(Decision.Granted.class);
    preparation = new Preparation(loop, books, devices);
  }

  @AfterEach
  void end() throws IOException {
    preparation.close();
    plugin.close();
    devices.close();
    loop.close();
    state.close();
  }

  /** The plugin answers while the loop is busy, and this is done before it hears the answer. */
  private void answeredAfter(Runnable deed) throws Exception {
    plugin.hangAt(Call.ALLOCATE);
    loop.submit(() -> preparation.enter(tenant, told::add));
    RealAgent.await("the plugin to be asked", () -> plugin.unanswered() == 1);
    CompletableFuture<Boolean> busy = new CompletableFuture<>();
    loop.submit(busy::join);
    loop.submit(deed);
    plugin.answerLate();
    // Until the answer is behind the deed: nobody can see that from here.
    Thread.sleep(500);
    assertThat(told).isEmpty();
    busy.complete(true);
  }

  @Test
  void anAnswerIsTold() throws Exception {
    answeredAfter(() -> {});
    RealAgent.await("the answer", () -> told.equals(List.of(Optional.empty())));
  }

  @Test
  void anAnswerThatIsThereIsNotToldWhereItsPodHasLeftBeforeIt() throws Exception {
    answeredAfter(() -> preparation.cancel(tenant.uid()));
    assertThat(loop.call(told::size)).isZero();
  }
}
