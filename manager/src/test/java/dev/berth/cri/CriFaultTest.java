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
  void twoAnswersThatDoNotComeAreTheSameFault() {
    for (String after :
        new String[] {"4.999862717s. Name resolution delay 0 s", "5s. [closed=[]]"}) {
      Status late =
          Status.DEADLINE_EXCEEDED.withDescription("CallOptions deadline exceeded after " + after);
      CriFault fault = CriFault.of("ListContainers", SOCKET, late.asRuntimeException());
      assertThat(fault.why()).isEqualTo("DEADLINE_EXCEEDED: no answer in time");
    }
    Status theirs = Status.DEADLINE_EXCEEDED.withDescription("context deadline exceeded");
    assertThat(CriFault.of("Update", SOCKET, theirs.asRuntimeException()).why())
        .isEqualTo("DEADLINE_EXCEEDED: context deadline exceeded");
  }

  @Test
  void whatTheRuntimeItselfDoesNotKnowIsARefusal() {
    Status refused = Status.UNKNOWN.withDescription("failed to update\nresources");
    CriFault fault = CriFault.of("Update", SOCKET, refused.asRuntimeException());
    assertThat(fault.isRefusal()).isTrue();
    assertThat(fault.why()).isEqualTo("UNKNOWN: failed to update resources");
  }
}
