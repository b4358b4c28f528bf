package dev.berth.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CriFaultTest {
  private static final Path SOCKET = Path.of("/run/cri.sock");

  @Test
  void aConnectionThatEndsInTheMiddleIsNoRefusal() {
    Status ended =
        Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());
    CriFault fault = CriFault.of("ListContainers", SOCKET, ended.asRuntimeException());
    assertThat(fault.isRefusal()).isFalse();
    assertThat(fault)
        .hasMessage(
            "CRI ListContainers at /run/cri.sock: expected an answer, found UNAVAILABLE: channel"
                + " closed");
  }

  @Test
  void whatTheRuntimeItselfDoesNotKnowIsARefusal() {
    Status refused = Status.UNKNOWN.withDescription("failed to update\nresources");
    CriFault fault = CriFault.of("Update", SOCKET, refused.asRuntimeException());
    assertThat(fault.isRefusal()).isTrue();
    assertThat(fault.why()).isEqualTo("UNKNOWN: failed to update resources");
  }
}
