package dev.berth.agent;

import dev.berth.http.HttpServer;
import dev.berth.http.Listener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Where an agent answers: its unix socket, and a port where one is wanted. */
public final class AgentServers implements AutoCloseable {
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
