package dev.berth.cli;

import dev.berth.json.Json;
import dev.berth.terminal.TextTable;
import dev.berth.workload.CpuWish;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.JsonNode;

/** {@code berth ps}: who sits where. */
final class PsCommand implements Command {
  static final String SUMMARY =
      "Shows who sits where: CPUs, NUMA nodes and caches of every container.";

  /** Columns that are shortened on a narrow terminal, the first first. */
  private static final int[] GIVING_WAY = {2, 5, 1, 3, 0};

  private static final String DISPLACED = " (displaced)";
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";

  private final Output output;
  private final AgentClient client = new AgentClient();

  /** How the answer is written. */
  enum Form {
    /** A table. */
    text,
    /** What the agent told. */
    json,
    /** The pods' names alone, one a line, for scripts and completion. */
    names
  }

  private Form format = Form.text;

  PsCommand(Output output) {
    this.output = output;
  }

  @Override
  public CommandSpec spec() {
    return Syntax.of(this, "ps", SUMMARY)
        .with(
            client,
            Option.named("-o")
                .takes("FORMAT", Form.class, format, value -> format = value)
                .says("text, json or names. Default: ${DEFAULT-VALUE}."))
        .footer(
            "",
            "CPUs are exclusive among Berth's containers. Daemons and other processes of the"
                + " machine may still run on them until they are moved to the reserved CPUs.",
            "",
            "Examples:",
            "  berth ps",
            "  berth ps -o json")
        .spec();
  }

  @Override
  public Integer call() {
    JsonNode status = client.askJson("GET", "/pods", "");
    switch (format) {
      case json -> output.out().println(Json.write(status));
      case names -> status.path("pods").forEach(pod -> output.out().println(title(pod)));
      case text -> show(status);
    }
    return ExitCode.DONE.number();
  }

  private void show(JsonNode status) {
    List<List<String>> rows = rows(status);
    List<String> lines = TextTable.shortened(rows, output.tableWidth(), GIVING_WAY).lines();
    for (int i = 0; i < lines.size(); i++) {
      boolean isTrouble = output.colour() && i > 0 && isTrouble(rows.get(i));
      output.out().println(isTrouble ? RED + lines.get(i) + PLAIN : lines.get(i));
    }
    output
        .out()
        .println(
            "shared "
                + dash(status.path("shared").asString())
                + ", exclusive "
                + dash(status.path("exclusive").asString())
                + ", reserved "
                + dash(status.path("reserved").asString())
                + " of "
                + status.path("cpus").asString()
                + "; exclusive among Berth's containers");
    String caution = status.path("caution").asString();
    if (!caution.isEmpty()) {
      output.out().println(caution);
    }
  }

  private static boolean isTrouble(List<String> row) {
    return row.get(2).startsWith("Failed") || row.get(3).endsWith(DISPLACED);
  }

  private static String title(JsonNode pod) {
    String namespace = pod.path("namespace").asString();
    return (namespace.equals("default") ? "" : namespace + "/") + pod.path("name").asString();
  }

  private static List<List<String>> rows(JsonNode status) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("POD", "CONTAINER", "STATE", "CPUS", "NODES", "L3", "PID"));
    for (JsonNode pod : status.path("pods")) {
      String name = title(pod);
      for (JsonNode container : pod.path("containers")) {
        rows.add(row(name, pod, container));
        name = "";
      }
    }
    for (JsonNode holder : status.path("unknownHolders")) {
      rows.addAll(unknown(holder));
    }
    return rows;
  }

  /** One without containers is known from a checkpoint alone. */
  private static List<List<String>> unknown(JsonNode holder) {
    List<List<String>> rows = new ArrayList<>();
    String name = holder.path("uid").asString();
    for (JsonNode container : holder.path("containers")) {
      String kind = container.path("shares").asBoolean(false) ? " shared" : " alone";
      rows.add(
          List.of(
              name,
              container.path("name").asString(),
              "unknown",
              container.path("cpus").asString() + kind,
              "-",
              "-",
              container.path("processes").path(0).asString("-")));
      name = "";
    }
    if (rows.isEmpty()) {
      String cpus = holder.path("cpus").asString() + " alone";
      rows.add(List.of(name, "-", "unknown", cpus, "-", "-", "-"));
    }
    return rows;
  }

  private static List<String> row(String name, JsonNode pod, JsonNode container) {
    boolean exclusive = container.path("exclusive").asBoolean(false);
    boolean displaced = pod.has("displaced");
    int strangers = container.path("foreign").size();
    StringBuilder alone =
        new StringBuilder(strangers == 0 ? " alone" : " with " + strangers + " foreign");
    for (CpuWish wish : CpuWish.values()) {
      alone.append(container.path(wish.word()).asBoolean(false) ? ", " + wish.word() : "");
    }
    String kind = displaced ? " shared" + DISPLACED : " shared";
    return List.of(
        name,
        container.path("name").asString(),
        state(pod, container),
        container.has("cpus") ? cpus(container) + (exclusive ? alone : kind) : "-",
        ids(container.path("nodes")),
        ids(container.path("caches")),
        container.has("pid") ? container.path("pid").asString() : "-");
  }

  /** As the kernel has them; where that is not what is wanted, both. */
  private static String cpus(JsonNode container) {
    String cpus = container.path("cpus").asString();
    return container.has("wanted")
        ? cpus + " (wanted " + container.path("wanted").asString() + ")"
        : cpus;
  }

  private static String state(JsonNode pod, JsonNode container) {
    String phase = pod.path("phase").asString();
    String reason = pod.path("reason").asString();
    if (phase.equals("Failed") && !reason.isEmpty()) {
      return phase + ": " + reason.replaceAll(":.*", "");
    }
    String state = container.path("state").asString();
    String code = container.has("code") ? " (" + container.path("code").asString() + ")" : "";
    int starts = container.path("starts").asInt(0);
    String again = starts > 1 ? ", start " + starts : "";
    return state + (state.equals("running") ? "" : code) + again;
  }

  private static String ids(JsonNode list) {
    return Places.text(
        StreamSupport.stream(list.spliterator(), false).map(JsonNode::asInt).toList());
  }

  private static String dash(String cpus) {
    return cpus.isEmpty() ? "-" : cpus;
  }
}
