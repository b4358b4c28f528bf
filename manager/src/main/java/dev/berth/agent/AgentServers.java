package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.http.HttpHandler;
import dev.berth.http.HttpServer;
import dev.berth.http.Listener;
import dev.berth.json.Json;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Where an agent answers: its unix socket, and a port where one is wanted. */
public final class AgentServers implements AutoCloseable {
  /** In milliseconds; an agent that lives answers at once. */
  private static final long PATIENCE = 2_000;

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<Desk> desks = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private AgentServers() {}

  /** Starts to answer. */
  public static AgentServers start(Agent agent, AgentLog log) throws IOException {
    AgentServers all = new AgentServers();
    AgentOptions options = agent.options();
    ConnectionLimits limits = ConnectionLimits.find();
    if (limits.areFew()) {
      log.line(
          "the limit of file descriptors leaves room for "
              + limits.socket()
              + " connections at a time on the socket, and as many on the port");
    }
    try {
      if (options.http().isPresent()) {
        all.open(options.http().get(), agent, log, limits.port());
      }
      Path folder = options.socket().toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      }
      expectFree(options.socket());
      Listener socket = Listener.unix(options.socket());
      HttpHandler api = new Api(agent, all.window(agent, "socket"));
      all.servers.add(HttpServer.start(socket, api, log::line, limits.socket()));
      all.names.add(socket.name());
      return all;
    } catch (IOException e) {
      all.close();
      throw e;
    }
  }

  /**
   * Makes sure that no process answers on a socket, so that its file may be replaced.
   *
   * @throws InvalidInputException naming the agent that answers there
   */
  public static void expectFree(Path socket) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      throw new InvalidInputException(
          "socket "
              + socket
              + ": expected that nothing answers there, found "
              + answering(socket)
              + "; give another --socket");
    } catch (IOException e) {
      // Its file is left over, or is not there.
      return;
    }
  }

  /** The agent there, where it tells within a moment; one that is stopped does not. */
  private static String answering(Path socket) {
    CompletableFuture<String> pid = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("berth-other-agent")
        .start(() -> {
          try (HttpExchange exchange = HttpExchange.send(socket, "GET", "/about", "")) {
            pid.complete(Json.read(exchange.text()).path("pid").asString());
          } catch (IOException | RuntimeException e) {
            pid.complete("");
          }
        });
    String found = pid.completeOnTimeout("", PATIENCE, TimeUnit.MILLISECONDS).join();
    return found.isEmpty() ? "another process" : "the agent with pid " + found;
  }

  private void open(HostAndPort address, Agent agent, AgentLog log, int connections)
      throws IOException {
    Listener port = Listener.port(address.host(), address.port());
    HttpHandler guarded =
        new PortGuard(
            address.host(),
            Files.readString(HOST_NAME).strip(),
            () -> agent.settings().own().httpNames(),
            window(agent, "port"));
    servers.add(HttpServer.start(port, guarded, log::stranger, connections));
    names.add("http://" + port.name());
  }

  private Window window(Agent agent, String where) {
    Desk desk = new Desk(agent, where);
    desks.add(desk);
    return new Window(agent, desk);
  }

  /** Where it answers. */
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public void close() throws IOException {
    desks.forEach(Desk::close);
    for (HttpServer server : servers) {
      server.close();
    }
  }
}
