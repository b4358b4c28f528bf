/**
 * gRPC on unix sockets, over the JDK's own sockets: no native library comes along.
 *
 * {@snippet :
 * RpcServer server = RpcServer.start(socket, log, List.of(service), new RateLimit(100, 10));
 * try (RpcClient client = RpcClient.of(socket)) {
 *   var answer = PodResourcesListerGrpc.newBlockingStub(client.channel()).list(request);
 * }
 * server.close();
 * }
 *
 * <p>The rule of this package: it knows sockets and threads, and nothing of what is said on them.
 * Whoever has no need of gRPC never loads it. What the libraries log reaches nobody but the log
 * that a server was given, a line for each client that makes no sense.
 */
@NullMarked
package dev.berth.rpc;

import org.jspecify.annotations.NullMarked;
