package dev.berth.agent;

import dev.berth.http.HttpExchange;
import java.io.IOException;
import java.nio.file.Path;

/** A program that asks an agent on its socket and prints the answer, or that there was none. */
final class SocketAsk {
  private SocketAsk() {}

  /** Takes the socket, the method and the target. */
  public static void main(String[] arguments) {
    try (HttpExchange exchange =
        HttpExchange.send(Path.of(arguments[0]), arguments[1], arguments[2], "")) {
      System.out.println(exchange.status() + " " + exchange.text().strip());
    } catch (IOException e) {
      System.out.println("no answer: " + e.getMessage());
    }
  }
}
