package dev.berth.podresources;

import dev.berth.podresources.PodResourcesListener.Call;
import dev.berth.protocols.podresources.AllocatableResourcesRequest;
import dev.berth.protocols.podresources.AllocatableResourcesResponse;
import dev.berth.protocols.podresources.GetPodResourcesRequest;
import dev.berth.protocols.podresources.GetPodResourcesResponse;
import dev.berth.protocols.podresources.ListPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesResponse;
import dev.berth.protocols.podresources.PodResourcesListerGrpc;
import dev.berth.rpc.Lines;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers from a snapshot each. */
final class PodResourcesService extends PodResourcesListerGrpc.PodResourcesListerImplBase {
  private final Supplier<ResourcesSnapshot> now;
  private final PodResourcesListener listener;

  PodResourcesService(Supplier<ResourcesSnapshot> now, PodResourcesListener listener) {
    this.now = now;
    this.listener = listener;
  }

  @Override
  public void list(
      ListPodResourcesRequest request, StreamObserver<ListPodResourcesResponse> answer) {
    answer(
        Call.LIST,
        answer,
        snapshot -> {
          var response = ListPodResourcesResponse.newBuilder();
          snapshot.pods().forEach(pod -> response.addPodResources(Messages.pod(pod)));
          return Optional.of(response.build());
        },
        "");
  }

  @Override
  public void getAllocatableResources(
      AllocatableResourcesRequest request, StreamObserver<AllocatableResourcesResponse> answer) {
    answer(
        Call.GET_ALLOCATABLE,
        answer,
        snapshot -> Optional.of(Messages.allocatable(snapshot.allocatable())),
        "");
  }

  @Override
  public void get(GetPodResourcesRequest request, StreamObserver<GetPodResourcesResponse> answer) {
    String name = request.getPodName();
    String namespace = request.getPodNamespace();
    answer(
        Call.GET,
        answer,
        snapshot ->
            snapshot.pods().stream()
                .filter(pod -> pod.name().equals(name) && pod.namespace().equals(namespace))
                .findFirst()
                .map(Messages::pod)
                .map(pod -> GetPodResourcesResponse.newBuilder().setPodResources(pod).build()),
        "pod "
            + Lines.shortened(name)
            + " in namespace "
            + Lines.shortened(namespace)
            + " not found");
  }

  /**
   * Counts, answers, and says what went wrong.
   *
   * @param nothing what is said where there is no answer
   */
  private <T> void answer(
      Call call,
      StreamObserver<T> answer,
      Function<ResourcesSnapshot, Optional<T>> question,
      String nothing) {
    listener.requested(call);
    Optional<T> found;
    try {
      found = question.apply(now.get());
    } catch (RuntimeException e) {
      // Whoever keeps the books may be about to end; a client gets a line for it.
      String line = Lines.shortened(String.valueOf(e.getMessage()));
      listener.log("podresources: expected what the pods have, found " + line);
      fail(call, answer, line);
      return;
    }
    if (found.isEmpty()) {
      fail(call, answer, nothing);
      return;
    }
    answer.onNext(found.get());
    answer.onCompleted();
  }

  /** With the code that the kubelet's errors have. */
  private <T> void fail(Call call, StreamObserver<T> answer, String line) {
    listener.failed(call);
    answer.onError(Status.UNKNOWN.withDescription(line).asRuntimeException());
  }
}
