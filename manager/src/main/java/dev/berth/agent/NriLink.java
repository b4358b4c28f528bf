package dev.berth.agent;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.cpu.InvalidInputException;
import dev.berth.deviceplugin.Answer;
import dev.berth.deviceplugin.Errand;
import dev.berth.deviceplugin.Handover;
import dev.berth.guest.GuestContainer;
import dev.berth.guest.GuestRequest;
import dev.berth.nri.Creation;
import dev.berth.nri.NriClient;
import dev.berth.nri.NriPolicy;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.ContainerNote;
import dev.berth.protocols.nri.ContainerState;
import dev.berth.protocols.nri.ContainerUpdate;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.PodNote;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.rpc.Lines;
import dev.berth.workload.CpuWish;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Looks after containers of a runtime that asks us before it creates one: NRI.
 *
 * <p>Every question is answered in turn with everything else. Nothing in here calls the runtime
 * back before it has answered: the runtime would wait for the answer first.
 */
final class NriLink implements RuntimeLink, NriPolicy {
  private static final String INDEX = "90";
  private static final String NAME = "berth";

  /** What a runtime waits for an answer where it does not say so. */
  private static final Duration USUAL = Duration.ofSeconds(2);

  /** Whatever a runtime says: one who waits longer has forgotten us. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Path socket;
  private final Guests guests;
  private final PluginDevices plugins;
  private final Loop loop;
  private final Consumer<String> log;
  private final boolean pretending;
  private final FirstProcesses processes = new FirstProcesses();
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("nri-updates").factory());

  private volatile Optional<NriClient> client = Optional.empty();

  /** What plugins may take of the runtime's time: we have more to do than to ask them. */
  private volatile Duration errand = forPlugins(USUAL);

  /** Whether the runtime has told all that it has. */
  private volatile boolean met;

  NriLink(
      Path socket,
      Guests guests,
      PluginDevices plugins,
      Loop loop,
      Consumer<String> log,
      boolean pretending) {
    this.socket = socket;
    this.guests = guests;
    this.plugins = plugins;
    this.loop = loop;
    this.log = log;
    this.pretending = pretending;
  }

  @Override
  public void begin() {
    client = Optional.of(NriClient.start(socket, INDEX, NAME, this, log));
  }

  @Override
  public void look() {
    // It asks about everybody before anything happens.
  }

  @Override
  public CompletableFuture<Set<String>> update(List<Place> places) {
    if (pretending) {
      return CompletableFuture.completedFuture(Set.of());
    }
    CompletableFuture<Set<String>> done = new CompletableFuture<>();
    sender.execute(() -> {
      try {
        Set<String> failed = new HashSet<>();
        client
            .orElseThrow(() -> new IOException("not connected"))
            .update(NriMessages.updates(places, false))
            .forEach(update -> failed.add(update.getContainerId()));
        done.complete(failed);
      } catch (IOException | RuntimeException e) {
        done.completeExceptionally(e);
      }
    });
    return done;
  }

  @Override
  public Optional<String> unready() {
    return met && client.filter(NriClient::isConnected).isPresent()
        ? Optional.empty()
        : Optional.of("no runtime is connected by NRI at " + socket);
  }

  @Override
  public void close() {
    client.ifPresent(NriClient::close);
    sender.shutdownNow();
  }

  @Override
  public void connected(String runtime, String version, long timeoutMilliseconds) {
    met = false;
    errand =
        forPlugins(
            timeoutMilliseconds > 0
                ? Duration.ofMillis(Math.min(timeoutMilliseconds, LONGEST.toMillis()))
                : USUAL);
    log.accept(
        "NRI: "
            + Lines.shortened(runtime + " " + version)
            + (timeoutMilliseconds > 0
                ? ", which waits " + timeoutMilliseconds + " ms for an answer"
                : ""));
  }

  private static Duration forPlugins(Duration patience) {
    return patience.multipliedBy(3).dividedBy(5);
  }

  @Override
  public boolean reads(String annotation) {
    return annotation.startsWith(GuestRequest.ANNOTATION) || CpuWish.isAnnotation(annotation);
  }

  @Override
  public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<Container> containers) {
    Map<String, PodSandbox> byId = new HashMap<>();
    pods.forEach(pod -> byId.put(pod.getId(), pod));
    List<Reunion.Listed> listed = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (Container container : processes.inOrder(containers)) {
      PodSandbox pod = byId.get(container.getPodSandboxId());
      if (pod != null) {
        try {
          listed.add(
              new Reunion.Listed(
                  NriMessages.guest(pod, container),
                  container.getState() != ContainerState.CONTAINER_STOPPED,
                  code(container.getFinishedAt(), container.getExitCode()),
                  processes.of(container),
                  NriMessages.reported(container)));
        } catch (InvalidInputException e) {
          faults.add(e.line());
        }
      }
    }
    // One line, for there may be thousands, all with the same fault.
    if (!faults.isEmpty()) {
      log.accept(
          "NRI: "
              + faults.size()
              + " containers cannot be looked after; the first: "
              + faults.getFirst());
    }
    List<PodSandbox> going = going(pods, containers);
    Listing listing =
        new Listing(
            listed,
            containers.stream().map(Container::getId).collect(Collectors.toSet()),
            going.stream().map(PodSandbox::getId).collect(Collectors.toSet()),
            going.stream().map(NriMessages::uid).collect(Collectors.toSet()));
    List<ContainerUpdate> answer = answered(() -> guests.synchronize(listing));
    met = true;
    return answer;
  }

  /**
   * The sandboxes that have not stopped. Runtimes list those too that have, until they are removed:
   * they have no process any more. CRI-O names none for most that run either; there all count.
   */
  private static List<PodSandbox> going(List<PodSandbox> pods, List<Container> containers) {
    Set<String> inUse =
        containers.stream().map(Container::getPodSandboxId).collect(Collectors.toSet());
    boolean told =
        pods.stream().anyMatch(pod -> pod.getPid() > 0)
            && pods.stream().noneMatch(pod -> pod.getPid() == 0 && inUse.contains(pod.getId()));
    return told ? pods.stream().filter(pod -> pod.getPid() > 0).toList() : pods;
  }

  @Override
  public byte[] create(Creation creation) throws RefusedException, InvalidProtocolBufferException {
    GuestContainer guest;
    try {
      guest = NriMessages.guest(creation);
    } catch (InvalidInputException e) {
      throw new RefusedException("berth: " + e.line());
    }
    Errand asking = Errand.within(errand);
    return switch (loop.callHere(() -> asking.call(() -> guests.create(guest)))) {
      case Arrivals.Answer.Refused refused ->
          throw new RefusedException("berth: " + refused.line());
      case Arrivals.Answer.Placed placed ->
          pretending
              ? new byte[0]
              : NriMessages.answer(placed.place(), handed(guest, placed, asking), placed.others());
    };
  }

  /** Plugins are asked on the runtime's own time, while the loop goes on. */
  private ContainerAdjustment handed(
      GuestContainer guest, Arrivals.Answer.Placed placed, Errand asking) throws RefusedException {
    try {
      return Handing.of(asking.call(() -> handover(guest, placed)));
    } catch (IOException e) {
      String line = "UnexpectedAdmissionError: " + e.getMessage();
      loop.submit(() -> guests.unhanded(guest, line));
      throw new RefusedException("berth: " + guest.title() + "/" + guest.name() + ": " + line);
    }
  }

  private Handover handover(GuestContainer guest, Arrivals.Answer.Placed placed)
      throws IOException {
    return switch (plugins.prepared(placed.pod(), guest.name(), placed.devices())) {
      case Answer.Given<Handover>(Handover handover) -> handover;
      case Answer.Refused<Handover>(String line) -> throw new IOException(line);
    };
  }

  @Override
  public List<ContainerUpdate> update(
      PodSandbox pod, Container container, LinuxResources resources) {
    return answered(() ->
        guests.changing(container.getId(), resources.getCpu().getQuota().getValue()).stream()
            .toList());
  }

  @Override
  public void updated(ContainerNote container) {
    loop.leave(guests::checkSoon);
  }

  @Override
  public void started(ContainerNote container) {
    loop.leave(() -> guests.runs(container.getId(), processes.of(container)));
  }

  @Override
  public void stopped(ContainerNote container) {
    OptionalInt code = code(container.getFinishedAt(), container.getExitCode());
    loop.leave(() -> guests.stopped(container.getId(), code));
  }

  /** How a container ended: 0 means something only where the runtime says when, too. */
  private static OptionalInt code(long finishedAt, int code) {
    return finishedAt > 0 || code != 0 ? OptionalInt.of(code) : OptionalInt.empty();
  }

  @Override
  public void removed(ContainerNote container) {
    loop.leave(() -> guests.removed(container.getId()));
  }

  @Override
  public void podStopped(PodNote pod) {
    loop.leave(() -> guests.sandboxOver(pod.getId(), NriMessages.uid(pod.getUid(), pod.getId())));
  }

  @Override
  public void podRemoved(PodNote pod) {
    loop.leave(() -> guests.sandboxOver(pod.getId(), NriMessages.uid(pod.getUid(), pod.getId())));
  }

  /** What it was told is of use to us alone, so it does not wait until that has been seen to. */
  @Override
  public void answered() {
    loop.rest();
  }

  private List<ContainerUpdate> answered(Callable<List<Place>> question) {
    List<Place> places = loop.call(question);
    return pretending ? List.of() : NriMessages.updates(places, true);
  }
}
