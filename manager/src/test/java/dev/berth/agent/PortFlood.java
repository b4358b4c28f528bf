package dev.berth.agent;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.stream.IntStream;

/**
 * A program that sends one request to a port of this machine again and again, until it is ended.
 */
final class PortFlood {
  private static final int CLIENTS = 24;

  private PortFlood() {}

  /** Takes the port, then the request. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    byte[] request = arguments[1].getBytes(US_ASCII);
    IntStream.range(0, CLIENTS).forEach(_ -> Thread.ofPlatform().start(() -> flood(port, request)));
    System.out.println("begun");
  }

  private static void flood(int port, byte[] request) {
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        while (in.read() >= 0) {
          var _ = in.skip(in.available());
        }
      } catch (IOException e) {
        // The agent may shut it: then the next one comes.
        Thread.onSpinWait();
      }
    }
  }
}
