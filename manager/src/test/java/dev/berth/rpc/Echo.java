package dev.berth.rpc;

import dev.berth.protocols.podresources.GetPodResourcesRequest;
import dev.berth.protocols.podresources.GetPodResourcesResponse;
import dev.berth.protocols.podresources.ListPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesResponse;
import dev.berth.protocols.podresources.PodResources;
import dev.berth.protocols.podresources.PodResourcesListerGrpc;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Answers with what was asked, or not at all. */
final class Echo extends PodResourcesListerGrpc.PodResourcesListerImplBase {
  private final CountDownLatch hung = new CountDownLatch(1);

  static String ask(Path socket, String name) {
    try (RpcClient client = RpcClient.of(socket)) {
      return ask(client, name);
    }
  }

  static String ask(RpcClient client, String name) {
    return PodResourcesListerGrpc.newBlockingStub(client.channel())
        .withDeadlineAfter(Duration.ofSeconds(20))
        .get(GetPodResourcesRequest.newBuilder().setPodName(name).build())
        .getPodResources()
        .getName();
  }

  @Override
  public void get(GetPodResourcesRequest request, StreamObserver<GetPodResourcesResponse> answer) {
    PodResources pod = PodResources.newBuilder().setName(request.getPodName()).build();
    answer.onNext(GetPodResourcesResponse.newBuilder().setPodResources(pod).build());
    answer.onCompleted();
  }

  @Override
  public void list(
      ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> answer) {
    try {
      hung.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
