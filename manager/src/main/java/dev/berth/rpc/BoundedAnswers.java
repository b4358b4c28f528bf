package dev.berth.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.berth.protocols.Bounded;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/** Reads what servers answer within bounds: a listing of a hundred thousand is no listing. */
final class BoundedAnswers implements ClientInterceptor {
  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    Marshaller<A> answers = method.getResponseMarshaller();
    Object prototype =
        answers instanceof PrototypeMarshaller<A> known ? known.getMessagePrototype() : null;
    return next.newCall(
        prototype instanceof Message message
            ? method.toBuilder().setResponseMarshaller(bounded(answers, message)).build()
            : method,
        options);
  }

  private static <A> Marshaller<A> bounded(Marshaller<A> answers, Message prototype) {
    return new Marshaller<>() {
      @Override
      public InputStream stream(A value) {
        return answers.stream(value);
      }

      @Override
      public A parse(InputStream stream) {
        try {
          ByteString bytes = ByteString.readFrom(stream);
          Bounded.check(prototype.getDescriptorForType(), bytes);
          return answers.parse(bytes.newInput());
        } catch (InvalidProtocolBufferException e) {
          throw failed(Status.RESOURCE_EXHAUSTED, e);
        } catch (IOException e) {
          throw failed(Status.INTERNAL, e);
        }
      }
    };
  }

  private static RuntimeException failed(Status status, IOException why) {
    return status.withDescription("answer: " + why.getMessage()).asRuntimeException();
  }
}
