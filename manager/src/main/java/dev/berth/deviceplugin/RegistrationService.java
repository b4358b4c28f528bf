package dev.berth.deviceplugin;

import dev.berth.protocols.deviceplugin.Empty;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.protocols.deviceplugin.RegistrationGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;

/** What plugins call. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
  private final Function<RegisterRequest, Optional<String>> register;

  /** Serves for somebody who says why a plugin is turned away, if so. */
  RegistrationService(Function<RegisterRequest, Optional<String>> register) {
    this.register = register;
  }

  @Override
  public void register(RegisterRequest request, StreamObserver<Empty> answer) {
    Optional<String> refusal = register.apply(request);
    if (refusal.isPresent()) {
      // The code that the kubelet's refusals have.
      answer.onError(Status.UNKNOWN.withDescription(refusal.get()).asRuntimeException());
      return;
    }
    answer.onNext(Empty.getDefaultInstance());
    answer.onCompleted();
  }
}
