package dev.berth.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Turns calls away that come too fast, in the words of the kubelet. */
public final class RateLimit implements ServerInterceptor {
  private final TokenBucket bucket;

  /** So many calls a second, all clients together, and so many at once. */
  public RateLimit(double perSecond, int burst) {
    bucket = new TokenBucket(perSecond, burst, System::nanoTime);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (bucket.tryTake()) {
      return next.startCall(call, headers);
    }
    call.close(Status.RESOURCE_EXHAUSTED.withDescription("rejected by rate limit"), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
