package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.http.HttpExchange;
import dev.berth.http.SilentServerException;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code berth run}: becomes a command on CPUs of its own. */
final class RunCommand implements Command {
  static final String SUMMARY =
      "Runs a command on CPUs of its own. Exit code, signals and terminal are the command's own."
          + " Where no agent listens, brings one along, which ends with the last command.";

  private static final int MOST_RANKS = 4_096;

  private final Output output;
  private final AgentClient client = new AgentClient();
  private final BroughtAgent brought = new BroughtAgent();
  private String cpus = "";
  private String requestedCpus = "";
  private boolean awake;
  private boolean undisturbed;
  private String memory = "";
  private Map<String, String> devices = new LinkedHashMap<>();
  private @Nullable String name;
  private String wait = "0s";
  private int ranks = 1;
  private List<String> command = new ArrayList<>();

  RunCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "run", SUMMARY)
        .with(
            client,
            brought,
            this::resources,
            this::manner,
            Parameter.some("COMMAND", command, value -> command = value)
                .says("The command, behind --."))
        .footer(
            "",
            "The command finds BERTH_CPUS in its environment, and OMP_NUM_THREADS and OMP_PLACES"
                + " where its CPUs are its own; each of several ranks BERTH_RANK too.",
            "",
            "Examples:",
            "  berth run --cpus 2 -- ./server",
            "  berth run --cpus 4 -n 2 --wait=10m -- ./solver input")
        .spec();
  }

  /** What it is to have. */
  private void resources(Syntax syntax) {
    syntax.with(
        Option.named("--cpus")
            .takes("N", String.class, cpus, value -> cpus = value)
            .says("CPUs of its own; a part such as 0.5 is a limit on the shared pool."),
        Option.named("--requested-cpus")
            .takes("N", String.class, requestedCpus, value -> requestedCpus = value)
            .hidden()
            .says("Shares CPUs, with the weight of one who asks for so many and has no limit."),
        Option.named("--awake")
            .flag(value -> awake = value)
            .says(
                "Keeps its own CPUs awake while nothing is to do: it wakes sooner, which takes"
                    + " power."),
        Option.named("--undisturbed")
            .flag(value -> undisturbed = value)
            .says("Keeps the machine's programs and the kernel's threads off its own CPUs."),
        Option.named("--memory")
            .takes("Q", String.class, memory, value -> memory = value)
            .says("Memory at most, such as 2Gi."),
        Option.named("--device")
            .pairs("R=N", devices, value -> devices = value)
            .says("Devices of a resource, such as vendor.example/nic=1."));
  }

  /** How it is started. */
  private void manner(Syntax syntax) {
    syntax.with(
        Option.named("--name")
            .maybe("POD", String.class, value -> name = value)
            .says("What it is called in berth ps."),
        Option.named("--wait")
            .takes("TIME", String.class, wait, value -> wait = value)
            .alone("1000d")
            .says("Waits for room, at most so long (10s, 5m) where a time is named."),
        Option.named("-n")
            .takes("RANKS", int.class, ranks, value -> ranks = value)
            .says("Starts the command so many times, each on its own CPUs."));
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
        // Another agent beside one that is silent would find its state folder in use.
        if (e instanceof SilentServerException || AgentClient.isForeign(client.socket())) {
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
