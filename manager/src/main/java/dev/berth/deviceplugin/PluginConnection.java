package dev.berth.deviceplugin;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Device;
import dev.berth.protocols.deviceplugin.AllocateRequest;
import dev.berth.protocols.deviceplugin.AllocateResponse;
import dev.berth.protocols.deviceplugin.ContainerAllocateRequest;
import dev.berth.protocols.deviceplugin.ContainerAllocateResponse;
import dev.berth.protocols.deviceplugin.ContainerPreferredAllocationRequest;
import dev.berth.protocols.deviceplugin.DevicePluginGrpc;
import dev.berth.protocols.deviceplugin.DevicePluginGrpc.DevicePluginBlockingStub;
import dev.berth.protocols.deviceplugin.DevicePluginOptions;
import dev.berth.protocols.deviceplugin.Empty;
import dev.berth.protocols.deviceplugin.ListAndWatchResponse;
import dev.berth.protocols.deviceplugin.PreStartContainerRequest;
import dev.berth.protocols.deviceplugin.PreferredAllocationRequest;
import dev.berth.protocols.deviceplugin.PreferredAllocationResponse;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.rpc.Lines;
import dev.berth.rpc.RpcClient;
import dev.berth.rpc.TokenBucket;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A plugin that has registered and was reached. The calls throw {@link InvalidInputException} with
 * the one line that a person needs.
 */
final class PluginConnection implements AutoCloseable {
  /** As much as the kubelet believes. */
  private static final int MOST_BYTES = 4 << 20;

  /** Lists a second, and at once; a plugin that sends more is read later, so it has to wait. */
  private static final double LISTS = 10;

  private static final int LISTS_AT_ONCE = 20;

  private final String resource;
  private final RpcClient client;
  private final DevicePluginBlockingStub stub;
  private final DevicePluginOptions options;
  private volatile boolean stalled;
  private volatile boolean closed;

  private PluginConnection(String resource, RpcClient client, DevicePluginOptions options) {
    this.resource = resource;
    this.client = client;
    this.options = options;
    stub = DevicePluginGrpc.newBlockingStub(client.channel());
  }

  /** Reaches a plugin and asks for its options. */
  static PluginConnection open(Path folder, RegisterRequest request, Patience patience) {
    String resource = request.getResourceName();
    RpcClient client = RpcClient.of(folder.resolve(request.getEndpoint()), MOST_BYTES);
    try {
      DevicePluginBlockingStub stub =
          DevicePluginGrpc.newBlockingStub(client.channel())
              .withWaitForReady()
              .withDeadlineAfter(patience.connect());
      return new PluginConnection(resource, client, options(resource, request, stub));
    } catch (InvalidInputException e) {
      client.close();
      throw e;
    }
  }

  /** What it says when asked counts, as for the kubelet; what it said when it registered, else. */
  private static DevicePluginOptions options(
      String resource, RegisterRequest request, DevicePluginBlockingStub stub) {
    try {
      return stub.getDevicePluginOptions(Empty.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED && request.hasOptions()) {
        return request.getOptions();
      }
      throw failed(resource, "its options", e);
    }
  }

  private static InvalidInputException failed(
      String resource, String expected, StatusRuntimeException e) {
    return new InvalidInputException(
        "device plugin of "
            + resource
            + ": expected "
            + expected
            + ", found "
            + Lines.of(e.getStatus()));
  }

  /** Hears one list after the other. */
  @FunctionalInterface
  interface Hearer {
    void devices(List<Device> devices);
  }

  /**
   * Hears what devices there are until the plugin ends, says what cannot be, or this is closed.
   *
   * @return why it ended
   */
  String follow(Hearer hearer) throws InterruptedException {
    TokenBucket pace = new TokenBucket(LISTS, LISTS_AT_ONCE, System::nanoTime);
    try {
      Iterator<ListAndWatchResponse> lists = stub.listAndWatch(Empty.getDefaultInstance());
      while (lists.hasNext()) {
        ListAndWatchResponse list = lists.next();
        stalled = false;
        hearer.devices(DeviceList.read(resource, list));
        TimeUnit.NANOSECONDS.sleep(pace.take().toNanos());
      }
      return "device plugin of " + resource + " has ended its list of devices";
    } catch (StatusRuntimeException e) {
      return failed(resource, "lists of devices", e).line();
    } catch (InvalidInputException e) {
      return e.line();
    }
  }

  boolean givesAdvice() {
    return options.getGetPreferredAllocationAvailable();
  }

  /** Whether it has let a question run out of time and has said nothing since. */
  boolean isStalled() {
    return stalled;
  }

  boolean isAskedBeforeStart() {
    return options.getPreStartRequired();
  }

  List<String> preferred(List<String> available, List<String> included, int size, Deadline until) {
    PreferredAllocationRequest request =
        PreferredAllocationRequest.newBuilder()
            .addContainerRequests(
                ContainerPreferredAllocationRequest.newBuilder()
                    .addAllAvailableDeviceIDs(available)
                    .addAllMustIncludeDeviceIDs(included)
                    .setAllocationSize(size))
            .build();
    PreferredAllocationResponse response =
        call("advice", () -> stub.withDeadline(until).getPreferredAllocation(request));
    return response.getContainerResponsesCount() == 0
        ? List.of()
        : List.copyOf(response.getContainerResponses(0).getDeviceIDsList());
  }

  ContainerAllocateResponse allocate(List<String> ids, Deadline until) {
    AllocateRequest request =
        AllocateRequest.newBuilder()
            .addContainerRequests(ContainerAllocateRequest.newBuilder().addAllDevicesIds(ids))
            .build();
    AllocateResponse response =
        call("an allocation", () -> stub.withDeadline(until).allocate(request));
    if (response.getContainerResponsesCount() == 0) {
      throw new InvalidInputException(
          "device plugin of " + resource + ": expected an allocation for 1 container, found none");
    }
    return response.getContainerResponses(0);
  }

  void preStart(List<String> ids, Deadline until) {
    PreStartContainerRequest request =
        PreStartContainerRequest.newBuilder().addAllDevicesIds(ids).build();
    var _ =
        call("readiness for a start", () -> stub.withDeadline(until).preStartContainer(request));
  }

  private <T> T call(String expected, Supplier<T> call) {
    try {
      T answer = call.get();
      stalled = false;
      return answer;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.CANCELLED) {
        // Of a question that nobody waited for, nobody knows.
        stalled = e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
      }
      throw failed(resource, expected, e);
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }
}
