/**
 * gRPC on unix sockets, over the JDK's own sockets: no native library comes along.
 *
 * {@snippet :
 * RpcServer server = RpcServer.start(socket, List.of(service));
 * try (RpcClient client = RpcClient.of(socket)) {
 *   var answer = PodResourcesListerGrpc.newBlockingStub(client.channel()).list(request);
 * }
 * server.close();
 * }
 *
 * <p>The rule of this package: it knows sockets and threads, and nothing of what is said on them.
 * Whoever has no need of gRPC never loads it.
 */
@NullMarked
package dev.berth.rpc;

import org.jspecify.annotations.NullMarked;
