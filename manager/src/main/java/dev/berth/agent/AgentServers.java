package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
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

  private final List<HttpServer> servers = new ArrayList<>();
  private final Desk desk;
  private final List<String> names = new ArrayList<>();

  private AgentServers(Desk desk) {
    this.desk = desk;
  }

  /** Starts to answer. */
  public static AgentServers start(Agent agent, AgentLog log) throws IOException {
    Desk desk = new Desk(agent);
    AgentServers all = new AgentServers(desk);
    AgentOptions options = agent.options();
    Health health = new Health(agent);
    try {
      if (options.http().isPresent()) {
        HostAndPort address = options.http().get();
        Listener port = Listener.port(address.host(), address.port());
        all.servers.add(
            HttpServer.start(port, Window.onPort(agent, health, desk, address), log::line));
        all.names.add("http://" + port.name());
      }
      Path folder = options.socket().toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      }
      expectFree(options.socket());
      Listener socket = Listener.unix(options.socket());
      all.servers.add(
          HttpServer.start(
              socket, new Api(agent, Window.onSocket(agent, health, desk)), log::line));
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

  /** Where it answers. */
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public void close() throws IOException {
    desk.close();
    for (HttpServer server : servers) {
      server.close();
    }
  }
}
