package dev.berth.ttrpc;

import com.google.protobuf.ByteString;

/** Answers calls. */
public interface TtrpcHandler {
  /** One that knows no method. */
  TtrpcHandler NONE =
      (service, method, _) -> {
        throw new TtrpcException(
            TtrpcException.UNIMPLEMENTED, service + "/" + method + ": no such method here");
      };

  /**
   * Answers one call, on the wire's own thread.
   *
   * @throws TtrpcException where the answer is a refusal
   */
  ByteString answer(String service, String method, ByteString request) throws TtrpcException;

  /** The answer to the latest call is sent: what nobody waits for can be done now. */
  default void answered() {}
}
