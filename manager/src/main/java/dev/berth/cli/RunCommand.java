package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.json.Json;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth run}: becomes a command on CPUs of its own. */
@Command(
    name = "run",
    description = {
      "Runs a command on CPUs of its own. Exit code, signals and terminal are the command's own."
          + " Where no agent listens, brings one along, which ends with the last command."
    },
    footer = {
      "",
      "The command finds BERTH_CPUS in its environment, and OMP_NUM_THREADS and OMP_PLACES where"
          + " its CPUs are its own; each of several ranks BERTH_RANK too.",
      "",
      "Examples:",
      "  berth run --cpus 2 -- ./server",
      "  berth run --cpus 4 -n 2 --wait=10m -- ./solver input",
    })
final class RunCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 4_096;

  private final Output output;

  @Mixin private AgentClient client = new AgentClient();

  @Mixin private BroughtAgent brought = new BroughtAgent();

  @Option(
      names = "--cpus",
      paramLabel = "N",
      description = "CPUs of its own; a part such as 0.5 is a limit on the shared pool.")
  private String cpus = "";

  @Option(
      names = "--requested-cpus",
      hidden = true,
      paramLabel = "N",
      description = "Shares CPUs, with the weight of one who asks for so many and has no limit.")
  private String requestedCpus = "";

  @Option(
      names = "--awake",
      description =
          "Keeps its own CPUs awake while nothing is to do: it wakes sooner, which takes power.")
  private boolean awake;

  @Option(
      names = "--undisturbed",
      description = "Keeps the machine's programs and the kernel's threads off its own CPUs.")
  private boolean undisturbed;

  @Option(names = "--memory", paramLabel = "Q", description = "Memory at most, such as 2Gi.")
  private String memory = "";

  @Option(
      names = "--device",
      paramLabel = "R=N",
      description = "Devices of a resource, such as vendor.example/nic=1.")
  private Map<String, String> devices = new LinkedHashMap<>();

  @Option(names = "--name", paramLabel = "POD", description = "What it is called in berth ps.")
  private @Nullable String name;

  @Option(
      names = "--wait",
      arity = "0..1",
      fallbackValue = "1000d",
      paramLabel = "TIME",
      description = "Waits for room, at most so long (10s, 5m) where a time is named.")
  private String wait = "0s";

  @Option(
      names = "-n",
      paramLabel = "RANKS",
      description = "Starts the command so many times, each on its own CPUs.")
  private int ranks = 1;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command, behind --.")
  private List<String> command = new ArrayList<>();

  RunCommand(Output output) {
    this.output = output;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      return run();
    } catch (Program.CommandException e) {
      output.err().println("berth: " + e.getMessage());
      return e.code;
    }
  }

  private int run() throws IOException, InterruptedException {
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new InvalidInputException("-n: expected 1 to " + MOST_RANKS + ", found " + ranks);
    }
    wishes().forEach(this::expectOwnCpus);
    Program program = Program.find(command, System.getenv());
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request
        .put("pid", ProcessHandle.current().pid())
        .put("wait", Waiting.milliseconds("--wait", wait));
    request.set("pod", pod());
    JsonNode place = ask(Json.write(request));
    if (place.has("reason")) {
      refuse(place);
      return ExitCode.REFUSED.number();
    }
    output.out().flush();
    new Boarding(program, place).become();
    return ExitCode.INTERNAL.number();
  }

  private Set<CpuWish> wishes() {
    return CpuWish.those(wish ->
        switch (wish) {
          case AWAKE -> awake;
          case UNDISTURBED -> undisturbed;
        });
  }

  /** What runs on the shared pool has no CPUs of which something could be wished. */
  private void expectOwnCpus(CpuWish wish) {
    Quantity asked = cpus.isEmpty() ? Quantity.ZERO : Quantity.parse(checked("--cpus", cpus));
    if (asked.units() == 0 || asked.nanos() != 0) {
      throw new InvalidInputException(
          "--"
              + wish.word()
              + ": expected --cpus with a whole number above 0 beside it, found "
              + (cpus.isEmpty() ? "none" : cpus));
    }
  }

  /** How many ranks have one CPU each that nobody is to disturb. */
  private int alone() {
    return undisturbed && Quantity.parse(cpus).equals(Quantity.of(1)) ? ranks : 0;
  }

  private void refuse(JsonNode answer) {
    output
        .err()
        .println(
            "berth: refused: "
                + answer.path("reason").asString()
                + ": "
                + answer.path("message").asString());
    answer.path("lines").forEach(line -> output.err().println("  " + line.asString()));
  }

  private JsonNode ask(String body) throws IOException, InterruptedException {
    while (true) {
      try (HttpExchange exchange = HttpExchange.send(client.socket(), "POST", "/run", body)) {
        String text = exchange.text();
        switch (exchange.status()) {
          case 200, 409 -> {
            return Json.read(text);
          }
          // It is about to end; another one takes its place.
          case 503 -> {}
          default -> throw AgentClient.refused(exchange.status(), text);
        }
      } catch (IOException e) {
        if (AgentClient.isForeign(client.socket())) {
          throw new AgentClient.UnreachableException(client.socket(), e);
        }
        brought.start(client.socket(), alone());
      }
    }
  }

  private ObjectNode pod() throws IOException {
    ObjectNode pod = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1");
    String called = name == null ? "run-" + ProcessHandle.current().pid() : name;
    ObjectNode metadata = pod.put("kind", "Pod").putObject("metadata");
    metadata.put("name", called).put("namespace", "default");
    for (CpuWish wish : wishes()) {
      metadata.withObject("annotations").put(wish.annotation(), "true");
    }
    ObjectNode spec = pod.putObject("spec").put("restartPolicy", "Never");
    ArrayNode containers = spec.putArray("containers");
    ObjectNode resources = resources();
    for (int rank = 0; rank < ranks; rank++) {
      ObjectNode container =
          containers.addObject().put("name", ranks == 1 ? "main" : "rank" + rank);
      command.forEach(container.putArray("command")::add);
      if (!resources.isEmpty()) {
        container.set("resources", resources);
      }
    }
    return pod;
  }

  private ObjectNode resources() throws IOException {
    ObjectNode resources = JsonNodeFactory.instance.objectNode();
    ObjectNode limits = limits();
    if (!limits.isEmpty()) {
      resources.set("limits", limits);
    }
    if (!requestedCpus.isEmpty()) {
      String requested = checked("--requested-cpus", requestedCpus);
      resources.putObject("requests").put("cpu", requested);
    }
    return resources;
  }

  private ObjectNode limits() throws IOException {
    ObjectNode limits = JsonNodeFactory.instance.objectNode();
    if (!cpus.isEmpty()) {
      limits.put("cpu", checked("--cpus", cpus));
    }
    if (!memory.isEmpty()) {
      limits.put("memory", checked("--memory", memory));
    } else if (!cpus.isEmpty()) {
      // A pod is guaranteed its CPUs only where its memory has a limit: all there is will do.
      limits.put("memory", allMemory());
    }
    devices.forEach((resource, number) -> limits.put(resource, checked("--device", number)));
    return limits;
  }

  private static String checked(String flag, String quantity) {
    try {
      Quantity.parse(quantity);
      return quantity;
    } catch (InvalidInputException e) {
      throw new InvalidInputException(flag + ": " + e.getMessage(), e);
    }
  }

  private static String allMemory() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        return line.replaceAll("[^0-9]", "") + "Ki";
      }
    }
    throw new InvalidInputException("/proc/meminfo: expected MemTotal in it, found none");
  }
}
