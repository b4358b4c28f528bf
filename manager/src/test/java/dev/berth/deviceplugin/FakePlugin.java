package dev.berth.deviceplugin;

import dev.berth.protocols.deviceplugin.AllocateRequest;
import dev.berth.protocols.deviceplugin.AllocateResponse;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.ContainerPreferredAllocationResponse;
import dev.berth.protocols.deviceplugin.Device;
import dev.berth.protocols.deviceplugin.DevicePluginGrpc;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import dev.berth.protocols.deviceplugin.Empty;
import dev.berth.protocols.deviceplugin.ListAndWatchResponse;
import dev.berth.protocols.deviceplugin.NUMANode;
import dev.berth.protocols.deviceplugin.PreStartContainerRequest;
import dev.berth.protocols.deviceplugin.PreStartContainerResponse;
import dev.berth.protocols.deviceplugin.PreferredAllocationRequest;
import dev.berth.protocols.deviceplugin.PreferredAllocationResponse;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.protocols.deviceplugin.RegistrationGrpc;
import dev.berth.protocols.deviceplugin.TopologyInfo;
import dev.berth.rpc.RpcClient;
import dev.berth.rpc.RpcServer;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A plugin that does as it is told. */
public final class FakePlugin extends DevicePluginGrpc.DevicePluginImplBase
    implements AutoCloseable {
  /** Something that it is asked. */
  public enum Call {
    ALLOCATE,
    PRE_START
  }

  final List<List<String>> prepared = new CopyOnWriteArrayList<>();
  private final AtomicInteger advised = new AtomicInteger();
  private final Path folder;
  private final String endpoint;
  private final DevicePluginOptions options;
  private final RpcServer server;
  private volatile ListAndWatchResponse devices;
  private volatile @Nullable StreamObserver<ListAndWatchResponse> stream;
  private volatile UnaryOperator<ContainerAllocateResponse.Builder> allocation =
      UnaryOperator.identity();
  private volatile boolean refusing;
  private volatile boolean hanging;
  private volatile boolean flooding;
  private volatile Set<Call> hangingAt = Set.of();
  private final Queue<Runnable> unanswered = new ConcurrentLinkedQueue<>();

  private FakePlugin(
      Path folder, String endpoint, DevicePluginOptions options, ListAndWatchResponse devices)
      throws IOException {
    this.folder = folder;
    this.endpoint = endpoint;
    this.options = options;
    this.devices = devices;
    server = RpcServer.start(folder.resolve(endpoint), List.of(this));
  }

  /** One that serves and has not registered yet. */
  public static FakePlugin start(Path folder, String endpoint, Device... devices)
      throws IOException {
    DevicePluginOptions all =
        DevicePluginOptions.newBuilder()
            .setPreStartRequired(true)
            .setGetPreferredAllocationAvailable(true)
            .build();
    return start(folder, endpoint, all, devices);
  }

  /** The same with these options. */
  public static FakePlugin start(
      Path folder, String endpoint, DevicePluginOptions options, Device... devices)
      throws IOException {
    return new FakePlugin(folder, endpoint, options, list(devices));
  }

  static ListAndWatchResponse list(Device... devices) {
    return ListAndWatchResponse.newBuilder().addAllDevices(List.of(devices)).build();
  }

  public static Device device(String id, boolean healthy, long... nodes) {
    TopologyInfo.Builder topology = TopologyInfo.newBuilder();
    for (long node : nodes) {
      topology.addNodes(NUMANode.newBuilder().setID(node));
    }
    return Device.newBuilder()
        .setID(id)
        .setHealth(healthy ? "Healthy" : "Unhealthy")
        .setTopology(topology)
        .build();
  }

  public FakePlugin register(String resource) {
    register(
        folder,
        RegisterRequest.newBuilder()
            .setVersion("v1beta1")
            .setEndpoint(endpoint)
            .setResourceName(resource)
            .setOptions(options)
            .build());
    return this;
  }

  static void register(Path folder, RegisterRequest request) {
    try (RpcClient client = RpcClient.of(folder.resolve(DevicePlugins.SOCKET))) {
      var _ = RegistrationGrpc.newBlockingStub(client.channel()).register(request);
    }
  }

  /** Has these from now on, and says so to whoever listens. */
  public void say(Device... now) {
    say(list(now));
  }

  /** From now on, and to whoever listens. */
  void say(ListAndWatchResponse list) {
    devices = list;
    StreamObserver<ListAndWatchResponse> listening = stream;
    if (listening != null) {
      listening.onNext(list);
    }
  }

  void endList() {
    StreamObserver<ListAndWatchResponse> listening = stream;
    if (listening != null) {
      listening.onCompleted();
    }
  }

  /** Changes what it answers when a container is given devices. */
  public void handsOn(UnaryOperator<ContainerAllocateResponse.Builder> answer) {
    allocation = answer;
  }

  /** Answers no more. */
  public void hang() {
    hanging = true;
  }

  /** Keeps these waiting, and answers all else. */
  public void hangAt(Call... calls) {
    hangingAt = Set.of(calls);
  }

  /** How many questions it was asked of those that it hangs at. */
  public int unanswered() {
    return unanswered.size();
  }

  /** Answers what it did not answer in time, where somebody still listens. */
  public void answerLate() {
    hangingAt = Set.of();
    for (Runnable answer = unanswered.poll(); answer != null; answer = unanswered.poll()) {
      answer.run();
    }
  }

  private void answer(Call call, StreamObserver<?> listener, Runnable answer) {
    if (hangingAt.contains(call)) {
      unanswered.add(() -> {
        if (!((ServerCallStreamObserver<?>) listener).isCancelled()) {
          answer.run();
        }
      });
    } else if (!hanging) {
      answer.run();
    }
  }

  /** Has no advice any more, and says so. */
  void refuseAdvice() {
    refusing = true;
  }

  /** Answers again. */
  public void goOn() {
    hanging = false;
  }

  /** How many times it was asked which devices belong together. */
  public int advised() {
    return advised.get();
  }

  void flood() {
    flooding = true;
  }

  @Override
  public void getDevicePluginOptions(Empty request, StreamObserver<DevicePluginOptions> answer) {
    if (!hanging) {
      answer.onNext(options);
      answer.onCompleted();
    }
  }

  @Override
  public void listAndWatch(Empty request, StreamObserver<ListAndWatchResponse> answer) {
    stream = answer;
    answer.onNext(devices);
    if (flooding) {
      var call = (ServerCallStreamObserver<ListAndWatchResponse>) answer;
      call.setOnReadyHandler(() -> {
        while (call.isReady() && !call.isCancelled()) {
          call.onNext(devices);
        }
      });
    }
  }

  @Override
  public void allocate(AllocateRequest request, StreamObserver<AllocateResponse> answer) {
    answer(
        Call.ALLOCATE,
        answer,
        () -> {
          AllocateResponse.Builder response = AllocateResponse.newBuilder();
          request
              .getContainerRequestsList()
              .forEach(container ->
                  response.addContainerResponses(
                      allocation.apply(
                          ContainerAllocateResponse.newBuilder()
                              .putEnvs(
                                  "DEVICES", String.join(",", container.getDevicesIdsList())))));
          answer.onNext(response.build());
          answer.onCompleted();
        });
  }

  /** The last ones that are available. */
  @Override
  public void getPreferredAllocation(
      PreferredAllocationRequest request, StreamObserver<PreferredAllocationResponse> answer) {
    advised.incrementAndGet();
    if (refusing) {
      answer.onError(Status.INTERNAL.withDescription("no two belong together").asException());
    } else if (!hanging) {
      var asked = request.getContainerRequests(0);
      List<String> available = asked.getAvailableDeviceIDsList();
      answer.onNext(
          PreferredAllocationResponse.newBuilder()
              .addContainerResponses(
                  ContainerPreferredAllocationResponse.newBuilder()
                      .addAllDeviceIDs(
                          available.subList(
                              available.size() - asked.getAllocationSize(), available.size())))
              .build());
      answer.onCompleted();
    }
  }

  @Override
  public void preStartContainer(
      PreStartContainerRequest request, StreamObserver<PreStartContainerResponse> answer) {
    prepared.add(List.copyOf(request.getDevicesIdsList()));
    answer(
        Call.PRE_START,
        answer,
        () -> {
          answer.onNext(PreStartContainerResponse.getDefaultInstance());
          answer.onCompleted();
        });
  }

  /** Ends as a process does that is killed. */
  void die() throws IOException {
    server.close();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
