package dev.berth.cri;

import dev.berth.protocols.cri.Container;
import dev.berth.protocols.cri.ContainerEventResponse;
import dev.berth.protocols.cri.ContainerStatusRequest;
import dev.berth.protocols.cri.ContainerStatusResponse;
import dev.berth.protocols.cri.GetEventsRequest;
import dev.berth.protocols.cri.ListContainersRequest;
import dev.berth.protocols.cri.ListContainersResponse;
import dev.berth.protocols.cri.PodSandboxStatusRequest;
import dev.berth.protocols.cri.PodSandboxStatusResponse;
import dev.berth.protocols.cri.RuntimeServiceGrpc.RuntimeServiceImplBase;
import dev.berth.protocols.cri.UpdateContainerResourcesRequest;
import dev.berth.protocols.cri.UpdateContainerResourcesResponse;
import dev.berth.protocols.cri.VersionRequest;
import dev.berth.protocols.cri.VersionResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Says what it is told to, sensible or not. */
final class FakeRuntime extends RuntimeServiceImplBase {
  final List<Container> containers = new ArrayList<>();
  final List<UpdateContainerResourcesRequest> updates = new CopyOnWriteArrayList<>();
  final List<StreamObserver<ContainerEventResponse>> followers = new CopyOnWriteArrayList<>();
  ContainerStatusResponse container = ContainerStatusResponse.getDefaultInstance();
  PodSandboxStatusResponse pod = PodSandboxStatusResponse.getDefaultInstance();
  Status answer = Status.OK;
  boolean answersVersion = true;

  @Override
  public void version(VersionRequest request, StreamObserver<VersionResponse> caller) {
    if (answersVersion) {
      reply(caller, VersionResponse.newBuilder().setRuntimeName("fake").build());
    }
  }

  @Override
  public void listContainers(
      ListContainersRequest request, StreamObserver<ListContainersResponse> caller) {
    reply(caller, ListContainersResponse.newBuilder().addAllContainers(containers).build());
  }

  @Override
  public void containerStatus(
      ContainerStatusRequest request, StreamObserver<ContainerStatusResponse> caller) {
    reply(caller, container);
  }

  @Override
  public void podSandboxStatus(
      PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> caller) {
    reply(caller, pod);
  }

  @Override
  public void updateContainerResources(
      UpdateContainerResourcesRequest request,
      StreamObserver<UpdateContainerResourcesResponse> caller) {
    updates.add(request);
    reply(caller, UpdateContainerResourcesResponse.getDefaultInstance());
  }

  @Override
  public void getContainerEvents(
      GetEventsRequest request, StreamObserver<ContainerEventResponse> caller) {
    followers.add(caller);
    if (caller instanceof io.grpc.stub.ServerCallStreamObserver<ContainerEventResponse> call) {
      call.setOnCancelHandler(() -> followers.remove(caller));
    }
  }

  private <T> void reply(StreamObserver<T> caller, T message) {
    if (answer.isOk()) {
      caller.onNext(message);
      caller.onCompleted();
    } else {
      caller.onError(answer.asRuntimeException());
    }
  }
}
