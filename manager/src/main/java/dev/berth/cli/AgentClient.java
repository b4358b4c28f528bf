package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.http.SilentServerException;
import dev.berth.json.Json;
import dev.berth.linux.UnixSockets;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** How a command talks to the agent. */
final class AgentClient implements Part {
  private @Nullable Path given;

  @Override
  public void addTo(Syntax syntax) {
    syntax.with(
        Option.named("--socket")
            .maybe("PATH", Path.class, value -> given = value)
            .says(
                "The agent's socket. Default: BERTH_SOCKET, or /run/berth/berth.sock for root and"
                    + " $$XDG_RUNTIME_DIR/berth.sock for others."));
  }

  /** The agent cannot be reached, which has an exit code of its own. */
  static final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private UnreachableException(String message, Throwable why) {
      super(message, why);
    }

    /** The same with another way to get an answer. */
    UnreachableException or(String otherwise) {
      return new UnreachableException(getMessage() + "; " + otherwise, this);
    }

    UnreachableException(Path socket, IOException why) {
      super(socket + ": " + words(socket, why), why);
    }

    private static String words(Path socket, IOException why) {
      if (why instanceof SilentServerException silent) {
        return "the agent"
            + process(socket)
            + " has not answered "
            + silent.request()
            + " for "
            + silent.seconds()
            + " s";
      }
      return isForeign(socket)
          ? "permission denied, only the owner of this agent and root can use it"
          : "no agent answers there (berth agent starts one)";
    }

    /** Which one it is, and whether it has been stopped. */
    private static String process(Path socket) {
      OptionalLong pid = UnixSockets.listener(socket.toString());
      if (pid.isEmpty()) {
        return "";
      }
      return " (process " + pid.getAsLong() + (isStopped(pid.getAsLong()) ? ", stopped)" : ")");
    }

    private static boolean isStopped(long pid) {
      try {
        return Files.readString(Path.of("/proc/" + pid + "/status")).contains("\nState:\tT");
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** Whether there is a socket that is not ours to use. */
  static boolean isForeign(Path socket) {
    return Files.exists(socket) && !Files.isWritable(socket);
  }

  /** The socket, whether or not anybody listens. */
  Path socket() {
    Path named = given;
    if (named != null) {
      return named;
    }
    String variable = System.getenv().getOrDefault("BERTH_SOCKET", "");
    return variable.isEmpty() ? AgentPaths.of(System.getenv()).socket() : Path.of(variable);
  }

  /**
   * Asks, and has the answer as a whole.
   *
   * @throws UnreachableException where nobody answers
   * @throws InvalidInputException with the agent's own line where it does not understand
   */
  String ask(String method, String target, String body) {
    try (HttpExchange exchange = send(method, target, body)) {
      String text = exchange.text();
      if (exchange.status() >= 400) {
        throw refused(exchange.status(), text);
      }
      return text;
    } catch (IOException e) {
      throw new UnreachableException(socket(), e);
    }
  }

  /** The same, for an answer that is JSON. */
  JsonNode askJson(String method, String target, String body) {
    String text = ask(method, target, body);
    try {
      return Json.read(text);
    } catch (JacksonException e) {
      throw new InvalidInputException(socket() + ": expected JSON from the agent, found other", e);
    }
  }

  /** Asks, and leaves the answer to the caller, who closes it. */
  HttpExchange send(String method, String target, String body) {
    try {
      return HttpExchange.send(socket(), method, target, body);
    } catch (IOException e) {
      throw new UnreachableException(socket(), e);
    }
  }

  /** The agent's words: they are one line already. */
  static RuntimeException refused(int status, String text) {
    String line = text.strip();
    return status == 404 ? new NotFoundException(line) : new InvalidInputException(line);
  }

  /** The agent does not know the pod. */
  static final class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotFoundException(String line) {
      super(line);
    }
  }

  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
