package dev.berth.ttrpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import dev.berth.protobuf.FieldWriter;
import dev.berth.protobuf.Fields;
import dev.berth.protocols.ttrpc.Request;
import dev.berth.protocols.ttrpc.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One connection on which calls go either way. What the other end asks is answered on the wire's
 * own thread, one call after the other: runtimes ask one by one, and the fewer threads an answer
 * passes through, the sooner it is there. So a handler must not wait for a call of ours on the same
 * wire.
 */
public final class TtrpcConnection implements AutoCloseable {
  /** Fields of a request. */
  private static final int SERVICE = 1 << 3 | Fields.BYTES;

  private static final int METHOD = 2 << 3 | Fields.BYTES;
  private static final int PAYLOAD = 3 << 3 | Fields.BYTES;

  /** Fields of a response. */
  private static final int STATUS = 1;

  private static final int ANSWER = 2;

  private final Wire wire;
  private final TtrpcHandler handler;
  private final Consumer<String> log;
  private final Map<Integer, CompletableFuture<Response>> calls = new ConcurrentHashMap<>();
  private final AtomicInteger streams = new AtomicInteger(1);
  private final CompletableFuture<String> end = new CompletableFuture<>();

  private TtrpcConnection(Wire wire, TtrpcHandler handler, Consumer<String> log) {
    this.wire = wire;
    this.handler = handler;
    this.log = log;
  }

  /**
   * Begins to listen.
   *
   * @param log told in one line about a defect of ours; why it ended, {@link #end()} tells
   */
  public static TtrpcConnection open(Wire wire, TtrpcHandler handler, Consumer<String> log) {
    TtrpcConnection connection = new TtrpcConnection(wire, handler, log);
    connection.listen();
    return connection;
  }

  /** Completed with the reason once the connection has ended. */
  public CompletableFuture<String> end() {
    return end;
  }

  /** Messages, each dealt with before the next. */
  private final class Messages implements Assembly.Taker {
    @Override
    public int length(ByteBuffer header) throws IOException {
      return Message.length(header);
    }

    @Override
    public void take(ByteBuffer header, byte[] content) throws IOException {
      TtrpcConnection.this.take(Message.of(header, content));
    }
  }

  private void listen() {
    Patience patience = new Patience(Patience.LONGEST, this::end);
    Assembly messages = new Assembly(Message.HEADER, "message", patience, new Messages());
    wire.listen(
        new Ear() {
          @Override
          public void hear(byte[] bytes, int at, int length) {
            try {
              messages.add(bytes, at, length);
            } catch (IOException e) {
              TtrpcConnection.this.end(String.valueOf(e.getMessage()));
            }
          }

          @Override
          public void end(String why) {
            TtrpcConnection.this.end(why);
          }
        });
  }

  /** A flood waits where it came from: the next is read when this one has its answer. */
  private void takeRequest(Message message) throws IOException {
    try {
      String service = "";
      String method = "";
      ByteString payload = ByteString.EMPTY;
      for (Fields fields = Fields.of(message.content()); fields.next(); ) {
        switch (fields.key()) {
          case SERVICE -> service = fields.text();
          case METHOD -> method = fields.text();
          case PAYLOAD -> payload = UnsafeByteOperations.unsafeWrap(fields.bytes());
          default -> {}
        }
      }
      answer(message.stream(), service, method, payload);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("request: expected protobuf, found " + e.getMessage(), e);
    }
  }

  private void take(Message message) throws IOException {
    switch (message.type()) {
      case Message.REQUEST -> takeRequest(message);
      case Message.RESPONSE -> {
        CompletableFuture<Response> call = calls.remove(message.stream());
        // One whose caller has given up has nobody to go to.
        if (call != null) {
          call.complete(response(message));
        }
      }
      default ->
          throw new IOException(
              "message: expected a request or a response, found type " + message.type());
    }
  }

  private static Response response(Message message) throws IOException {
    try {
      return Response.parseFrom(message.content());
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("response: expected protobuf, found " + e.getMessage(), e);
    }
  }

  private void answer(int stream, String service, String method, ByteString payload) {
    FieldWriter response = new FieldWriter();
    try {
      response.add(ANSWER, handler.answer(service, method, payload).toByteArray());
    } catch (TtrpcException e) {
      response.message(STATUS, status(e.code(), String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      log.accept(wire.name() + ": internal error: " + e);
      response.message(STATUS, status(TtrpcException.INTERNAL, "internal error: " + e));
    }
    try {
      send(new Message(stream, Message.RESPONSE, response.toBytes()));
    } catch (IOException e) {
      // Whoever waits for this answer must not wait for ever.
      end("answer to " + method + ": " + e.getMessage());
    }
    afterAnswer();
  }

  private void afterAnswer() {
    try {
      handler.answered();
    } catch (RuntimeException e) {
      log.accept(wire.name() + ": internal error: " + e);
    }
  }

  private static FieldWriter status(int code, String message) {
    return new FieldWriter().number(1, code).text(2, message);
  }

  private void send(Message message) throws IOException {
    if (message.content().length > Message.LARGEST) {
      throw new IOException(
          "message: expected at most "
              + Message.LARGEST
              + " bytes, found "
              + message.content().length);
    }
    synchronized (this) {
      wire.send(message.bytes());
    }
  }

  /**
   * Calls the other end and waits for its answer.
   *
   * @throws TtrpcException where it refuses
   * @throws IOException where the connection ends or the time is up
   */
  public ByteString call(String service, String method, ByteString payload, Duration time)
      throws IOException, TtrpcException {
    int stream = streams.getAndAdd(2);
    CompletableFuture<Response> call = new CompletableFuture<>();
    calls.put(stream, call);
    try {
      if (end.isDone()) {
        throw new IOException(method + ": the connection has ended");
      }
      Request request =
          Request.newBuilder()
              .setService(service)
              .setMethod(method)
              .setPayload(payload)
              .setTimeoutNano(time.toNanos())
              .build();
      send(new Message(stream, Message.REQUEST, request.toByteArray()));
      Response response = call.get(time.toNanos(), TimeUnit.NANOSECONDS);
      if (response.getStatus().getCode() != 0) {
        throw new TtrpcException(response.getStatus().getCode(), response.getStatus().getMessage());
      }
      return response.getPayload();
    } catch (TimeoutException e) {
      throw new IOException(method + ": no answer within " + time.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(method + ": " + why(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(method + ": interrupted", e);
    } finally {
      calls.remove(stream);
    }
  }

  private static String why(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause == null ? e.toString() : String.valueOf(cause.getMessage());
  }

  private void end(String why) {
    end.complete(why);
    calls.values().forEach(call -> call.completeExceptionally(new IOException(why)));
    try {
      wire.close();
    } catch (IOException e) {
      // It is as good as closed: nothing more can come from it.
      return;
    }
  }

  @Override
  public void close() {
    end("closed");
  }
}
