package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;

/**
 * Where something listens.
 *
 * @param host a name or number of this machine
 * @param port 0 for any that is free
 */
public record HostAndPort(String host, int port) {
  /**
   * Reads {@code 127.0.0.1:8484} or {@code [::1]:8484}.
   *
   * @throws InvalidInputException where it is something else
   */
  public static HostAndPort parse(String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon <= 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
      throw new InvalidInputException(
          "address \"" + text + "\": expected HOST:PORT such as 127.0.0.1:8484");
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return new HostAndPort(
        bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
