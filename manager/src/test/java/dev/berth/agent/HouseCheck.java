package dev.berth.agent;

import dev.berth.agent.Lodger.Lease;
import dev.berth.agent.Lodger.Word;
import dev.berth.agent.state.Recovered;
import dev.berth.agent.state.StateFolder;
import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Compares, at a moment when nobody asks for anything, what tenants were promised, what the agent
 * says, what is written down, and what the kernel has. A line for everything that does not agree.
 */
final class HouseCheck {
  private final RealAgent agent;
  private final boolean pretended;
  private final List<Lease> leases;
  private final List<String> lines = new ArrayList<>();
  private final Map<String, JsonNode> byName = new HashMap<>();

  private HouseCheck(RealAgent agent, boolean pretended, List<Lease> leases) {
    this.agent = agent;
    this.pretended = pretended;
    this.leases = leases;
  }

  static List<String> lines(RealAgent agent, boolean pretended, List<Lease> leases)
      throws IOException {
    HouseCheck check = new HouseCheck(agent, pretended, leases);
    JsonNode status = agent.status();
    status.path("pods").forEach(pod -> check.byName.put(pod.path("name").asString(), pod));
    leases.forEach(check::promise);
    check.strangers();
    check.nothingTwice(status);
    check.written();
    if (!pretended) {
      check.processes();
      check.groups();
      check.traces();
    }
    return check.lines;
  }

  private JsonNode pod(String name) {
    return byName.getOrDefault(name, MissingNode.getInstance());
  }

  private static boolean isOver(JsonNode pod) {
    return pod.path("phase").asString().matches("Failed|Succeeded");
  }

  private static JsonNode app(JsonNode pod) {
    return pod.path("containers").get(pod.path("containers").size() - 1);
  }

  private void promise(Lease lease) {
    JsonNode pod = pod(lease.name);
    switch (lease.word) {
      case GONE -> {
        if (!pod.isMissingNode()) {
          lines.add(lease + " is still there: " + pod);
        }
      }
      case ASKED, LEAVING -> heard(lease, pod);
      case OUT -> {
        if (!pod.path("phase").asString().equals("Failed")) {
          lines.add(lease + " was refused, and now: " + pod);
        }
      }
      case IN -> in(lease, pod);
    }
  }

  /** The agent's answer was lost; what it did is seen now, and holds from now on. */
  private void heard(Lease lease, JsonNode pod) {
    if (pod.isMissingNode()) {
      lease.word = Word.GONE;
    } else if (pod.path("phase").asString().equals("Stopping")) {
      lines.add(lease + " does not end");
    } else if (isOver(pod) && !pod.path("reason").asString().isEmpty()) {
      lease.word = Word.OUT;
    } else {
      lease.word = Word.IN;
      in(lease, pod);
    }
  }

  private void in(Lease lease, JsonNode pod) {
    if (pod.isMissingNode()) {
      lines.add(lease + " was let in and is not there");
      return;
    }
    JsonNode app = app(pod);
    if (pretended) {
      if (isOver(pod)) {
        lines.add(lease + " was let in and is over: " + pod);
      }
      return;
    }
    if (lease.kind.stays()) {
      stays(lease, pod, app);
    } else if (lease.kind == PodKind.ENDING) {
      if (!isOver(pod) || app.path("code").asInt(-1) != 3) {
        lines.add(lease + " should have ended with 3: " + pod);
      }
    } else if (app.has("code") && app.path("code").asInt() != 1) {
      lines.add(lease + " ends with 1 each time: " + pod);
    }
  }

  private void stays(Lease lease, JsonNode pod, JsonNode app) {
    long pid = app.path("pid").asLong(0);
    if (pid == 0 || app.path("starts").asInt() != 1) {
      lines.add(lease + " should run, once started: " + pod);
    } else if (lease.pid != 0 && lease.pid != pid) {
      lines.add(lease + " ran as " + lease.pid + " and now as " + pid);
    } else {
      lease.pid = pid;
    }
  }

  private void strangers() {
    Set<String> known = new HashSet<>();
    leases.forEach(lease -> known.add(lease.name));
    byName.keySet().stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> lines.add("nobody asked for " + name));
  }

  private void nothingTwice(JsonNode status) {
    CpuSet taken = CpuSet.EMPTY;
    for (JsonNode pod : byName.values()) {
      CpuSet own = CpuSet.EMPTY;
      for (JsonNode container : pod.path("containers")) {
        if (container.path("exclusive").asBoolean(false)) {
          own = own.union(CpuSet.parse(container.path("cpus").asString()));
        }
      }
      if (own.intersects(taken)) {
        lines.add("CPUs " + own.intersection(taken) + " are given twice: " + status);
      }
      taken = taken.union(own);
    }
    CpuSet shared = CpuSet.parse(status.path("shared").asString());
    if (shared.intersects(taken)) {
      lines.add("CPUs " + shared.intersection(taken) + " are shared and given: " + status);
    }
  }

  private void written() throws IOException {
    Recovered found = StateFolder.look(agent.state());
    if (found.why().size() != 1) {
      lines.add("the state folder: " + found.why());
    }
    Set<String> names = new TreeSet<>();
    found.pods().forEach(pod -> names.add(pod.uid().substring("default_".length())));
    if (!names.equals(byName.keySet())) {
      lines.add("written down are " + names + ", and there are " + byName.keySet());
    }
    found
        .pods()
        .forEach(record -> {
          JsonNode pod = pod(record.uid().substring("default_".length()));
          CpuSet has = CpuSet.EMPTY;
          for (JsonNode container : pod.path("containers")) {
            if (container.path("exclusive").asBoolean(false)) {
              has = has.union(CpuSet.parse(container.path("cpus").asString()));
            }
          }
          if (!record.holding().allCpus().equals(has)) {
            lines.add(record.uid() + " has " + has + ", written down " + record.holding());
          }
        });
  }

  private void processes() {
    for (JsonNode pod : byName.values()) {
      for (JsonNode container : pod.path("containers")) {
        long pid = container.path("pid").asLong(0);
        if (pid != 0 && !allowed(pid).equals(container.path("cpus").asString())) {
          lines.add(pid + " may run on " + allowed(pid) + ", promised " + container);
        }
      }
    }
  }

  /** Where a process may run; one that has just ended, nowhere. */
  private static String allowed(long pid) {
    try {
      return RealAgent.allowed(pid).toString();
    } catch (IOException e) {
      return "nothing";
    }
  }

  /** Groups are those of pods that are not over, and hold nobody but their containers. */
  private void groups() throws IOException {
    Set<String> expected = new TreeSet<>();
    byName.forEach((name, pod) -> {
      if (!isOver(pod)) {
        expected.add("default_" + name);
      }
    });
    for (Path root : agent.groups()) {
      Set<String> found = new TreeSet<>();
      for (Path pod : KernelWatch.children(root.resolve("pods"))) {
        found.add(pod.getFileName().toString());
      }
      if (!found.equals(expected)) {
        lines.add(root + " has " + found + ", expected " + expected);
      }
    }
  }

  /** A shell for each container that runs, and messages of pods that are there. */
  private void traces() throws IOException {
    long running = 0;
    for (JsonNode pod : byName.values()) {
      for (JsonNode container : pod.path("containers")) {
        running += container.path("state").asString().equals("running") ? 1 : 0;
      }
    }
    long shells = shells(agent.runtime().toString());
    if (shells != running) {
      lines.add(shells + " shells for " + running + " containers that run");
    }
    for (Path place : List.of(agent.runtime().resolve("shims"), agent.state().resolve("logs"))) {
      try (Stream<Path> files = Files.list(place)) {
        files
            .map(file -> file.getFileName().toString())
            // Other files are no pod's: the shell's program, and which boot the links are of.
            .filter(file -> file.contains("~"))
            .filter(file -> !byName.containsKey(file.replaceAll("^default_|~.*", "")))
            .forEach(file -> lines.add("left over: " + file));
      }
    }
  }

  /** How many shells run that speak through a folder, the forked halves of starting ones too. */
  private static long shells(String folder) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(path -> path.getFileName().toString().matches("[0-9]+"))
          .filter(path -> words(path).contains(folder))
          .count();
    }
  }

  private static String words(Path process) {
    try {
      return Files.readString(
          process.resolve("cmdline"), java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
