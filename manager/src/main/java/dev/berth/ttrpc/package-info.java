/**
 * ttRPC, the small remote procedure calls of container runtimes, and the multiplexer that puts
 * several of its connections on one socket.
 *
 * <p>A message is ten bytes of header (length, stream, type, flags) and at most 4 MiB of protobuf.
 * A multiplexed frame is eight bytes (connection, length) and a piece of one. What is garbled, too
 * long, cut off or stuck in the middle ends its connection with one line, and nothing else; what is
 * sent faster than it can be answered waits, within bounds. A socket has one thread, on which its
 * pieces are put together, calls are heard and answers are sent.
 *
 * {@snippet :
 * try (Multiplexer trunk = Multiplexer.over(Wire.unix(socket), 1, 2);
 *     TtrpcConnection plugin = TtrpcConnection.open(trunk.open(1), handler, log);
 *     TtrpcConnection runtime = TtrpcConnection.open(trunk.open(2), TtrpcHandler.NONE, log)) {
 *   ByteString answer = runtime.call("service", "Method", request, Duration.ofSeconds(5));
 * }
 * }
 *
 * <p>The rule of this package: it knows frames and envelopes, and nothing of what is in them.
 */
@NullMarked
package dev.berth.ttrpc;

import org.jspecify.annotations.NullMarked;
