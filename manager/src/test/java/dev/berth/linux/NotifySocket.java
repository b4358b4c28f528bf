package dev.berth.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.Posix.Outcome;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The receiving end of datagrams on a unix socket, as systemd has it for its services. */
public final class NotifySocket implements AutoCloseable {
  private static final MethodHandle SOCKET =
      Posix.call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      Posix.call("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RECEIVE =
      Posix.call("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CLOSE =
      Posix.call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final int UNIX = 1;
  private static final int DATAGRAM_WITHOUT_BLOCKING = 2 | 04000;
  private static final int LONGEST = 4_096;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(LONGEST);
  private final int descriptor;

  /** Binds one. */
  public NotifySocket(Path path) {
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    MemorySegment address = arena.allocate(2L + name.length + 1);
    address.set(JAVA_SHORT.withByteAlignment(1), 0, (short) UNIX);
    MemorySegment.copy(name, 0, address, JAVA_BYTE, 2, name.length);
    int length = Math.toIntExact(address.byteSize());
    descriptor =
        must(
            Posix.outcome(
                arena,
                error -> (int) SOCKET.invokeExact(error, UNIX, DATAGRAM_WITHOUT_BLOCKING, 0)));
    must(Posix.outcome(arena, error -> (int) BIND.invokeExact(error, descriptor, address, length)));
  }

  private static int must(Outcome outcome) {
    if (outcome.failed()) {
      throw new AssertionError(outcome.failure("socket"));
    }
    return outcome.value();
  }

  /** The next datagram, if there is one. */
  public Optional<String> received() {
    long most = LONGEST;
    Outcome outcome =
        Posix.outcome(
            arena, error -> (int) (long) RECEIVE.invokeExact(error, descriptor, buffer, most, 0));
    return outcome.failed()
        ? Optional.empty()
        : Optional.of(
            new String(
                buffer.asSlice(0, outcome.value()).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    Posix.outcome(arena, error -> (int) CLOSE.invokeExact(error, descriptor));
    arena.close();
  }
}
