package dev.berth.cri;

import dev.berth.protocols.cri.ContainerEventResponse;
import dev.berth.protocols.cri.GetEventsRequest;
import dev.berth.protocols.cri.RuntimeServiceGrpc;
import io.grpc.Channel;
import io.grpc.Context;
import java.util.Iterator;

/** One stream of events, without a deadline. Waiting ends when the thread is interrupted. */
final class EventStream implements Iterator<CriEvent>, AutoCloseable {
  private final Context.CancellableContext life;
  private final Iterator<ContainerEventResponse> events;

  private EventStream(Context.CancellableContext life, Iterator<ContainerEventResponse> events) {
    this.life = life;
    this.events = events;
  }

  static EventStream open(Channel channel) {
    Context.CancellableContext life = Context.current().withCancellation();
    Context before = life.attach();
    try {
      return new EventStream(
          life,
          RuntimeServiceGrpc.newBlockingStub(channel)
              .getContainerEvents(GetEventsRequest.getDefaultInstance()));
    } finally {
      life.detach(before);
    }
  }

  @Override
  public boolean hasNext() {
    return events.hasNext();
  }

  @Override
  public CriEvent next() {
    return CriEvent.of(events.next());
  }

  /** Tells the runtime that nobody listens any more. */
  @Override
  public void close() {
    life.close();
  }
}
