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
   * Answers one call, on a thread of its own.
   *
   * @throws TtrpcException where the answer is a refusal
   */
  ByteString answer(String service, String method, ByteString request) throws TtrpcException;
}
