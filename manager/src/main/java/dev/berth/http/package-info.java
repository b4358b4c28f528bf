/**
 * HTTP/1.1, as much of it as an agent needs: one request a connection, on a unix socket or a port.
 *
 * <p>The JDK's own server cannot listen on a unix socket, so one small server does both, and what
 * people know works: {@code curl --unix-socket /run/berth/berth.sock http://berth/pods}. A request
 * is read whole before anybody acts on it; what is too long, too slow or garbled ends with one line
 * and its connection, never with the server.
 *
 * {@snippet :
 * HttpHandler hello = request -> HttpReply.text(200, "hello " + request.path());
 * try (HttpServer server = HttpServer.start(Listener.unix(socket), hello, log::line)) {
 *   try (HttpExchange exchange = HttpExchange.send(socket, "GET", "/there", "")) {
 *     exchange.text(); // hello /there
 *   }
 * }
 * }
 *
 * <p>The rule of this package: it knows bytes and limits, and nothing of pods.
 */
@NullMarked
package dev.berth.http;

import org.jspecify.annotations.NullMarked;
