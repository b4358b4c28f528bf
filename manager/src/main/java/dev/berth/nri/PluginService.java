package dev.berth.nri;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import dev.berth.protocols.Bounded;
import dev.berth.protocols.nri.ConfigureRequest;
import dev.berth.protocols.nri.ConfigureResponse;
import dev.berth.protocols.nri.ContainerNote;
import dev.berth.protocols.nri.Empty;
import dev.berth.protocols.nri.Event;
import dev.berth.protocols.nri.Note;
import dev.berth.protocols.nri.PodNote;
import dev.berth.protocols.nri.StateChangeEvent;
import dev.berth.protocols.nri.StopContainerResponse;
import dev.berth.protocols.nri.SynchronizeRequest;
import dev.berth.protocols.nri.SynchronizeResponse;
import dev.berth.protocols.nri.UpdateContainerRequest;
import dev.berth.protocols.nri.UpdateContainerResponse;
import dev.berth.ttrpc.TtrpcException;
import dev.berth.ttrpc.TtrpcHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The plugin's side of the protocol, on one connection. */
final class PluginService implements TtrpcHandler {
  static final String NAME = "nri.pkg.api.v1alpha1.Plugin";

  private static final List<Event> EVENTS =
      List.of(
          Event.STOP_POD_SANDBOX,
          Event.REMOVE_POD_SANDBOX,
          Event.CREATE_CONTAINER,
          Event.POST_START_CONTAINER,
          Event.UPDATE_CONTAINER,
          Event.POST_UPDATE_CONTAINER,
          Event.STOP_CONTAINER,
          Event.REMOVE_CONTAINER);

  private final NriPolicy policy;
  private final Consumer<String> end;
  private Chunks chunks;

  /**
   * Why the connection is to end once the answer is sent; read and written on the wire's thread.
   */
  private Optional<String> last = Optional.empty();

  /**
   * Serves for a policy.
   *
   * @param end ends the connection, and is told why
   */
  PluginService(NriPolicy policy, Consumer<String> end) {
    this.policy = policy;
    this.end = end;
    chunks = new Chunks(policy::reads);
  }

  @Override
  public ByteString answer(String service, String method, ByteString request)
      throws TtrpcException {
    if (!service.equals(NAME)) {
      return TtrpcHandler.NONE.answer(service, method, request);
    }
    try {
      return method.equals("CreateContainer")
          ? UnsafeByteOperations.unsafeWrap(policy.create(Creation.read(request.toByteArray())))
          : answer(method, request).toByteString();
    } catch (InvalidProtocolBufferException e) {
      throw new TtrpcException(
          TtrpcException.INTERNAL, method + ": expected protobuf, found " + e.getMessage());
    } catch (NriPolicy.RefusedException e) {
      throw new TtrpcException(TtrpcException.UNKNOWN, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void answered() {
    policy.answered();
    last.ifPresent(end);
  }

  private MessageLite answer(String method, ByteString request)
      throws InvalidProtocolBufferException, TtrpcException {
    return switch (method) {
      case "Configure" ->
          configure(read(ConfigureRequest.parser(), ConfigureRequest.getDescriptor(), request));
      case "Synchronize" ->
          synchronize(
              read(SynchronizeRequest.parser(), SynchronizeRequest.getDescriptor(), request));
      case "UpdateContainer" -> {
        UpdateContainerRequest update =
            read(UpdateContainerRequest.parser(), UpdateContainerRequest.getDescriptor(), request);
        yield UpdateContainerResponse.newBuilder()
            .addAllUpdate(
                policy.update(update.getPod(), update.getContainer(), update.getLinuxResources()))
            .build();
      }
      case "StopContainer" -> {
        Note stop = read(Note.parser(), Note.getDescriptor(), request);
        policy.stopped(stop.getContainer());
        yield StopContainerResponse.getDefaultInstance();
      }
      // Newer runtimes call these by their names, and the requests look like the one for stopping.
      case "StopPodSandbox" -> named(Event.STOP_POD_SANDBOX, request);
      case "RemovePodSandbox" -> named(Event.REMOVE_POD_SANDBOX, request);
      case "PostStartContainer" -> named(Event.POST_START_CONTAINER, request);
      case "PostUpdateContainer" -> named(Event.POST_UPDATE_CONTAINER, request);
      case "RemoveContainer" -> named(Event.REMOVE_CONTAINER, request);
      case "StateChange" -> {
        StateChangeEvent change =
            read(StateChangeEvent.parser(), StateChangeEvent.getDescriptor(), request);
        yield changed(change.getEvent(), change.getPod(), change.getContainer());
      }
      case "Shutdown" -> {
        // The runtime waits for the answer, so the wire must outlast it.
        last = Optional.of("the runtime has shut us down");
        yield Empty.getDefaultInstance();
      }
      default -> throw unknown(method);
    };
  }

  private static <T extends Message> T read(Parser<T> parser, Descriptor type, ByteString request)
      throws InvalidProtocolBufferException {
    return Bounded.parse(parser, type, request);
  }

  private static TtrpcException unknown(String method) {
    return new TtrpcException(
        TtrpcException.UNIMPLEMENTED, NAME + "/" + method + ": not asked for, so not served");
  }

  private MessageLite configure(ConfigureRequest request) {
    policy.connected(
        request.getRuntimeName(), request.getRuntimeVersion(), request.getRequestTimeout());
    int events = 0;
    for (Event event : EVENTS) {
      events |= 1 << (event.getNumber() - 1);
    }
    return ConfigureResponse.newBuilder().setEvents(events).build();
  }

  /** What does not fit one message comes in several; only the last one is answered with updates. */
  private synchronized MessageLite synchronize(SynchronizeRequest request) throws TtrpcException {
    Optional<String> tooMuch = chunks.add(request);
    if (tooMuch.isPresent()) {
      end.accept("Synchronize: " + tooMuch.get());
      throw new TtrpcException(TtrpcException.UNKNOWN, "Synchronize: " + tooMuch.get());
    }
    if (request.getMore()) {
      return SynchronizeResponse.newBuilder().setMore(true).build();
    }
    Chunks all = chunks;
    chunks = new Chunks(policy::reads);
    return SynchronizeResponse.newBuilder()
        .addAllUpdate(policy.synchronize(all.pods(), all.containers()))
        .build();
  }

  private MessageLite named(Event event, ByteString request) throws InvalidProtocolBufferException {
    Note note = read(Note.parser(), Note.getDescriptor(), request);
    return changed(event, note.getPod(), note.getContainer());
  }

  private MessageLite changed(Event event, PodNote pod, ContainerNote container) {
    switch (event) {
      case STOP_POD_SANDBOX -> policy.podStopped(pod);
      case REMOVE_POD_SANDBOX -> policy.podRemoved(pod);
      case POST_START_CONTAINER -> policy.started(container);
      case POST_UPDATE_CONTAINER -> policy.updated(container);
      case REMOVE_CONTAINER -> policy.removed(container);
      default -> {
        // A runtime may tell more than it was asked for.
      }
    }
    return Empty.getDefaultInstance();
  }
}
