package dev.berth.rpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * Tells of calls that failed before or beside the service: too large, no protobuf, unknown. What a
 * service refuses it tells itself.
 */
final class FailedCalls extends ServerStreamTracer.Factory {
  private final Consumer<String> log;

  FailedCalls(Consumer<String> log) {
    this.log = log;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new ServerStreamTracer() {
      @Override
      public void streamClosed(Status status) {
        switch (status.getCode()) {
          case RESOURCE_EXHAUSTED, INTERNAL, UNIMPLEMENTED ->
              log.accept("call of " + Lines.shortened(method) + " failed: " + Lines.of(status));
          // Some services of ours refuse with these, and the others are the client's own business.
          case OK,
              CANCELLED,
              UNKNOWN,
              INVALID_ARGUMENT,
              DEADLINE_EXCEEDED,
              NOT_FOUND,
              ALREADY_EXISTS,
              PERMISSION_DENIED,
              FAILED_PRECONDITION,
              ABORTED,
              OUT_OF_RANGE,
              UNAVAILABLE,
              DATA_LOSS,
              UNAUTHENTICATED -> {}
        }
      }
    };
  }
}
