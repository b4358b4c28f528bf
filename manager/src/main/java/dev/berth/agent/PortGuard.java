package dev.berth.agent;

import dev.berth.http.HttpHandler;
import dev.berth.http.HttpReply;
import dev.berth.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps pages of others away from a port.
 *
 * <p>Everybody on this machine can ask there, and so can any page in a browser of this machine. No
 * answer permits such a page to read it, a request with a body must be of a type that only our own
 * page can send, and a request that names the agent by a host name that is not the agent's is
 * refused, because the owner of that name could pass for the agent.
 */
final class PortGuard implements HttpHandler {
  private final String told;
  private final String machine;
  private final Supplier<List<String>> more;
  private final HttpHandler guarded;

  /**
   * Guards what is behind it.
   *
   * @param told the host in {@code --http}
   * @param machine the machine's own name
   * @param more other names of the agent
   */
  PortGuard(String told, String machine, Supplier<List<String>> more, HttpHandler guarded) {
    this.told = told;
    this.machine = machine;
    this.more = more;
    this.guarded = guarded;
  }

  @Override
  public HttpReply answer(HttpRequest request) {
    return objection(request)
        .map(line -> HttpReply.text(403, line + "\n"))
        .orElseGet(() -> guarded.answer(request));
  }

  private Optional<String> objection(HttpRequest request) {
    Map<String, String> headers = request.headers();
    String host = headers.getOrDefault("host", "");
    if (!isOurs(host)) {
      return Optional.of(
          "Host: expected localhost, an address, the machine's name, the host of --http or one of"
              + " berth.httpNames, found another");
    }
    if (!headers.getOrDefault("origin", "http://" + host).equals("http://" + host)) {
      return Optional.of("Origin: expected our own page, found one from elsewhere");
    }
    // For a page from elsewhere, a browser asks first before it sends this type, and is not heard.
    boolean known = headers.getOrDefault("content-type", "").equals("application/yaml");
    return request.method().equals("GET") || known
        ? Optional.empty()
        : Optional.of("Content-Type: expected application/yaml, found another");
  }

  /** An address in numbers belongs to nobody else, so it cannot be a name that changes hands. */
  private boolean isOurs(String hostAndPort) {
    String host = hostAndPort.replaceFirst(":[0-9]{1,5}$", "");
    return host.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        || host.matches("\\[[0-9a-fA-F:.]+]")
        || (!host.isEmpty() && isOurName(host.toLowerCase(Locale.ROOT)));
  }

  private boolean isOurName(String host) {
    return host.equals("localhost")
        || host.equalsIgnoreCase(told)
        || host.equalsIgnoreCase(machine)
        || more.get().stream().anyMatch(host::equalsIgnoreCase);
  }
}
