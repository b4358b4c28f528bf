package dev.berth.agent;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.berth.nri.NriPeer;
import dev.berth.protocols.ttrpc.Request;
import dev.berth.protocols.ttrpc.Response;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A runtime that writes whatever it likes on a plugin's connection, byte by byte. */
final class HostilePeer implements AutoCloseable {
  private static final int PLUGIN = 1;
  private static final int RUNTIME = 2;
  private static final byte REQUEST = 1;
  private static final byte RESPONSE = 2;

  private final SocketChannel plugin;
  private final DataInputStream in;
  private int stream = 1;

  private HostilePeer(SocketChannel plugin) {
    this.plugin = plugin;
    in = new DataInputStream(Channels.newInputStream(plugin));
  }

  static ServerSocketChannel listen(Path socket) throws IOException {
    return NriPeer.listen(socket);
  }

  /** Waits for the plugin and says nothing. */
  static HostilePeer accept(ServerSocketChannel server) throws IOException {
    return new HostilePeer(server.accept());
  }

  /** Lets the plugin register, as an honest runtime does. */
  HostilePeer registered() throws IOException {
    ByteBuffer asked = ByteBuffer.wrap(frame());
    answer(asked.getInt(Integer.BYTES));
    return this;
  }

  /** Answers a question of the plugin, asked or not. */
  void answer(int number) throws IOException {
    send(RUNTIME, message(number, RESPONSE, Response.getDefaultInstance().toByteArray()));
  }

  /** The next frame that the plugin sends. */
  byte[] frame() throws IOException {
    in.readInt();
    byte[] content = new byte[in.readInt()];
    in.readFully(content);
    return content;
  }

  /** The next frame that the plugin sends, which has to be an answer. */
  Response answer() throws IOException {
    byte[] message = frame();
    if (message[8] != RESPONSE) {
      throw new AssertionError("expected an answer, found a message of type " + message[8]);
    }
    return Response.parseFrom(ByteString.copyFrom(message, 10, message.length - 10));
  }

  /** Passes over frames until the plugin ends the connection. */
  void awaitEnd() {
    try {
      while (true) {
        frame();
      }
    } catch (IOException e) {
      // That is what was waited for.
      return;
    }
  }

  /** Reads what the plugin answers and drops it, until the connection ends. */
  void readAll() {
    Thread.ofVirtual().start(this::awaitEnd);
  }

  static byte[] message(int stream, byte type, byte[] content) {
    return ByteBuffer.allocate(10 + content.length)
        .putInt(content.length)
        .putInt(stream)
        .put(type)
        .put((byte) 0)
        .put(content)
        .array();
  }

  /** A whole request, not yet sent. */
  byte[] request(String method, ByteString payload) {
    stream += 2;
    return message(
        stream,
        REQUEST,
        Request.newBuilder()
            .setService("nri.pkg.api.v1alpha1.Plugin")
            .setMethod(method)
            .setPayload(payload)
            .build()
            .toByteArray());
  }

  /** Asks, and does not wait for an answer. */
  void ask(String method, MessageLite request) throws IOException {
    send(PLUGIN, request(method, request.toByteString()));
  }

  /** Sends a frame to the plugin's side. */
  void send(byte[] content) throws IOException {
    send(PLUGIN, content);
  }

  /** Sends a frame. */
  void send(int connection, byte[] content) throws IOException {
    raw(
        ByteBuffer.allocate(8 + content.length)
            .putInt(connection)
            .putInt(content.length)
            .put(content)
            .array());
  }

  /** Sends bytes as they are. */
  void raw(byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      plugin.write(rest);
    }
  }

  @Override
  public void close() throws IOException {
    plugin.close();
  }
}
