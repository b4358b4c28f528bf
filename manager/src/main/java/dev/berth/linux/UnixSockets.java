package dev.berth.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.berth.linux.Posix.Outcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** What the JDK does not do with unix sockets: datagrams, and the process that listens. */
public final class UnixSockets {
  private static final MethodHandle SOCKET =
      Posix.call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle CONNECT =
      Posix.call("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle OPTION =
      Posix.call(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SEND =
      Posix.call(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CLOSE =
      Posix.call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final int UNIX = 1;
  private static final int STREAM = 1;
  private static final int DATAGRAM = 2;
  private static final int NON_BLOCKING = 04000;
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final int SOCKET_LEVEL = 1;
  private static final int PEER_CREDENTIALS = 17;
  private static final int CREDENTIALS_BYTES = 12;

  /** The kernel has 108 bytes for a path, the last of them 0. */
  private static final int LONGEST = 107;

  private UnixSockets() {}

  @FunctionalInterface
  private interface Use<T> {
    T with(Arena arena, int socket) throws IOException;
  }

  private static <T> T use(int type, Use<T> use) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int wanted = type | NON_BLOCKING | CLOSE_ON_EXEC;
      Outcome socket =
          Posix.outcome(arena, error -> (int) SOCKET.invokeExact(error, UNIX, wanted, 0));
      if (socket.failed()) {
        throw socket.failure("socket");
      }
      try {
        return use.with(arena, socket.value());
      } finally {
        Posix.outcome(arena, error -> (int) CLOSE.invokeExact(error, socket.value()));
      }
    }
  }

  /** A path, or a name behind {@code @} that is in no file system. */
  private static MemorySegment address(Arena arena, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == 0 || bytes.length > LONGEST) {
      throw new IOException("socket " + text + ": expected 1 to " + LONGEST + " bytes");
    }
    boolean isAbstract = bytes[0] == '@';
    if (isAbstract) {
      bytes[0] = 0;
    }
    MemorySegment address = arena.allocate(2L + bytes.length + (isAbstract ? 0 : 1));
    address.set(JAVA_SHORT.withByteAlignment(1), 0, (short) UNIX);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 2, bytes.length);
    return address;
  }

  /**
   * The process that listens on a socket; none where nobody can tell, such as one that takes no
   * more connections.
   */
  public static OptionalLong listener(String path) {
    try {
      return use(
          STREAM,
          (arena, socket) -> {
            MemorySegment address = address(arena, path);
            int length = Math.toIntExact(address.byteSize());
            Outcome connected =
                Posix.outcome(
                    arena, error -> (int) CONNECT.invokeExact(error, socket, address, length));
            return connected.failed() ? OptionalLong.empty() : peer(arena, socket);
          });
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong peer(Arena arena, int socket) {
    MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
    MemorySegment length = arena.allocateFrom(JAVA_INT, CREDENTIALS_BYTES);
    Outcome found =
        Posix.outcome(
            arena,
            error ->
                (int)
                    OPTION.invokeExact(
                        error, socket, SOCKET_LEVEL, PEER_CREDENTIALS, credentials, length));
    int pid = credentials.get(JAVA_INT, 0);
    return found.failed() || pid <= 0 ? OptionalLong.empty() : OptionalLong.of(pid);
  }

  /**
   * Sends a datagram, without waiting for room.
   *
   * @throws IOException where nobody takes it
   */
  public static void send(String to, String message) throws IOException {
    use(
        DATAGRAM,
        (arena, socket) -> {
          MemorySegment address = address(arena, to);
          int length = Math.toIntExact(address.byteSize());
          byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
          MemorySegment content = arena.allocate(bytes.length);
          MemorySegment.copy(bytes, 0, content, JAVA_BYTE, 0, bytes.length);
          long size = bytes.length;
          Outcome sent =
              Posix.outcome(
                  arena,
                  error ->
                      (int)
                          (long)
                              SEND.invokeExact(error, socket, content, size, 0, address, length));
          if (sent.failed()) {
            throw sent.failure("send to " + to);
          }
          return sent.value();
        });
  }
}
