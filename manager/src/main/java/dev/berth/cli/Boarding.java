package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.Posix;
import dev.berth.linux.Slice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Takes the place that the agent gave: joins the groups, and becomes the command.
 *
 * @param program the command
 * @param place the agent's answer
 */
record Boarding(Program program, JsonNode place) {
  /** Starts every rank, waits for all, and ends with the first code that is not 0. */
  private static final String WAIT_FOR_ALL =
      """
      trap 'kill -TERM $berth_ranks 2>/dev/null' HUP INT TERM
      berth_code=0
      for berth_rank in $berth_ranks; do
        while :; do
          wait "$berth_rank"
          berth_one=$?
          kill -0 "$berth_rank" 2>/dev/null || break
        done
        [ "$berth_code" -ne 0 ] || berth_code=$berth_one
      done
      exit "$berth_code"
      """;

  /**
   * Where there are no groups: binds the process that calls it, and then marks it with its number
   * and start, so that the agent, who hears of the mark, has the last word on its CPUs. The start
   * is the twentieth word behind the name, which may hold anything.
   */
  private static final String BIND =
      """
      berth_bind() {
        read -r berth_stat </proc/self/stat || return 1
        berth_pid=${berth_stat%% *}
        taskset -cp "$1" "$berth_pid" >/dev/null || return 1
        berth_mark=$2
        set -- ${berth_stat##*) }
        shift 19
        ln -s "$berth_pid $1" "$berth_mark"
      }
      """;

  /** Becomes the command; returns only by an exception. */
  void become() throws IOException {
    List<JsonNode> containers = new ArrayList<>();
    place.path("containers").forEach(containers::add);
    if (containers.size() == 1) {
      become(containers.getFirst());
    } else {
      becomeAll(containers);
    }
  }

  private void become(JsonNode container) throws IOException {
    for (JsonNode file : container.path("join")) {
      Files.writeString(Path.of(file.asString()), "0", StandardCharsets.US_ASCII);
    }
    // A mask that this process was started with would hold beside its group.
    boolean bound = container.path("affinity").asBoolean(false);
    String cpus = bound ? container.path("cpus").asString() : place.path("machine").asString();
    Posix.setAffinity(0, CpuSet.parse(cpus));
    Map<String, String> environment = new LinkedHashMap<>(System.getenv());
    container
        .path("environment")
        .properties()
        .forEach(entry -> environment.put(entry.getKey(), entry.getValue().asString()));
    goFirst(container);
    program.become(environment);
  }

  /** On a CPU of one's own strays give way. */
  private static void goFirst(JsonNode container) {
    if (container.path("exclusive").asBoolean(false)) {
      Slice.shorten();
    }
  }

  /** A shell starts the ranks, so that no JVM waits for them. */
  private void becomeAll(List<JsonNode> containers) throws IOException {
    Posix.setAffinity(0, CpuSet.parse(place.path("machine").asString()));
    StringBuilder script = new StringBuilder(BIND).append("berth_ranks=\n");
    for (int rank = 0; rank < containers.size(); rank++) {
      script.append("(\n");
      JsonNode container = containers.get(rank);
      for (JsonNode file : container.path("join")) {
        script.append("echo 0 >").append(quoted(file.asString())).append(" || exit 126\n");
      }
      container
          .path("environment")
          .properties()
          .forEach(entry -> export(script, entry.getKey(), entry.getValue().asString()));
      export(script, "BERTH_RANK", String.valueOf(rank));
      export(script, "BERTH_RANKS", String.valueOf(containers.size()));
      if (container.has("mark")) {
        String cpus = container.path("cpus").asString();
        String mark = quoted(container.path("mark").asString());
        script.append("berth_bind ").append(cpus).append(' ').append(mark).append(" || exit 126\n");
      }
      script.append("exec \"$@\"\n) &\nberth_ranks=\"$berth_ranks $!\"\n");
    }
    script.append(WAIT_FOR_ALL);
    List<String> words = new ArrayList<>(List.of("sh", "-c", script.toString(), "berth-ranks"));
    words.add(program.file().toString());
    words.addAll(program.arguments().subList(1, program.arguments().size()));
    // All ranks ask for the same.
    goFirst(containers.getFirst());
    new Program(Path.of("/bin/sh"), words).become(System.getenv());
  }

  private static void export(StringBuilder script, String name, String value) {
    script.append("export ").append(name).append('=').append(quoted(value)).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
