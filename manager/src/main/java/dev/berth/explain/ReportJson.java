package dev.berth.explain;

import dev.berth.allocation.Step;
import dev.berth.explain.Report.Verdict;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryBlock;
import dev.berth.ledger.Remedy;
import dev.berth.relief.NearMiss;
import dev.berth.topology.Level;
import dev.berth.workload.Resources;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A report for programs. */
public final class ReportJson {
  private final Report report;
  private final Scene scene;
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();

  private ReportJson(Report report) {
    this.report = report;
    scene = report.scene();
  }

  /** All of it; pods by the names that people use. */
  public static ObjectNode of(Report report) {
    return new ReportJson(report).write();
  }

  private ObjectNode write() {
    json.put("name", report.name());
    verdict();
    json.put("headline", scene.named(ReportText.headline(report)));
    texts(json.putArray("notes"), report.notes());
    sittings(json.putArray("sittings"));
    steps();
    nearMisses(json.putArray("nearMisses"));
    ArrayNode changes = json.putArray("changes");
    report.remedies().forEach(remedy -> change(changes, remedy));
    report.relief().ifPresent(relief -> ReliefJson.write(json.putObject("plan"), relief, scene));
    texts(json.putArray("text"), ReportText.lines(report));
    return json;
  }

  private void texts(ArrayNode list, Collection<String> lines) {
    lines.forEach(line -> list.add(scene.named(line)));
  }

  private void verdict() {
    switch (report.verdict()) {
      case Verdict.Sits(Holding holding) -> granted(holding);
      case Verdict.WouldFit(Holding holding) -> granted(holding);
      case Verdict.Refused(String reason, String message) ->
          json.put("decision", "refused").put("reason", reason).put("message", message);
      case Verdict.WouldBeRefused(String reason, String message) ->
          json.put("decision", "refused").put("reason", reason).put("message", message);
      case Verdict.Left(String how) -> json.put("decision", "left").put("message", how);
    }
  }

  private void granted(Holding holding) {
    json.put("decision", "granted");
    ObjectNode cpus = json.putObject("cpus");
    holding.cpus().forEach((container, own) -> cpus.put(container, own.toString()));
    if (!holding.budget().isEmpty()) {
      cpus.put("", holding.budget().toString());
    }
    ObjectNode memory = json.putObject("memory");
    holding.memory().forEach((container, blocks) -> blocks(memory.putArray(container), blocks));
    ObjectNode devices = json.putObject("devices");
    holding
        .devices()
        .forEach((container, resources) -> {
          ObjectNode ids = devices.putObject(container);
          resources.forEach((resource, list) -> list.forEach(ids.withArray(resource)::add));
        });
  }

  private static void blocks(ArrayNode list, List<MemoryBlock> blocks) {
    for (MemoryBlock block : blocks) {
      list.addObject()
          .put("type", block.type())
          .put("nodes", block.nodes().toString())
          .put("bytes", block.size());
    }
  }

  private void sittings(ArrayNode list) {
    for (Sitting one : report.sittings()) {
      ObjectNode entry =
          list.addObject()
              .put("container", one.container())
              .put("cpus", one.cpus().toString())
              .put("own", one.own());
      one.sockets().forEach(entry.putArray("sockets")::add);
      one.nodes().forEach(entry.putArray("nodes")::add);
      one.caches().forEach(entry.putArray("caches")::add);
      entry.put("wholeCores", one.wholeCores()).put("splitCores", one.splitCores());
      ObjectNode neighbours = entry.putObject("neighbours");
      one.neighbours().forEach((uid, count) -> neighbours.put(scene.name(uid), count));
    }
  }

  private void steps() {
    ArrayNode steps = json.putArray("steps");
    ArrayNode offers = json.putArray("offers");
    for (Step step : report.steps()) {
      String text = scene.named(step.text());
      ObjectNode entry = steps.addObject().put("text", text);
      switch (step) {
        case Step.Asked _ -> entry.put("kind", "asked");
        case Step.Noted _ -> entry.put("kind", "noted");
        case Step.Began began -> entry.put("kind", "began").put("needed", began.needed());
        case Step.Looked looked -> entry.put("kind", "looked").put("level", looked.level().noun());
        case Step.Took took -> entry.put("kind", "took").put("cpus", took.cpus().toString());
        case Step.PassedOver passed ->
            entry.put("kind", "passedOver").put("place", passed.place().id());
        case Step.Offered offered -> {
          entry.put("kind", "offered").put("resource", offered.resource());
          offers
              .addObject()
              .put("resource", offered.resource())
              .put("nodes", offered.alone().toString())
              .put("preferred", offered.preferred())
              .put("text", text);
        }
      }
    }
    texts(json.putArray("lines"), Explanation.lines(report.steps()));
  }

  private void nearMisses(ArrayNode list) {
    for (NearMiss miss : report.nearMisses()) {
      ObjectNode entry = list.addObject();
      switch (miss) {
        case NearMiss.InPlace place -> inPlace(entry, place);
        case NearMiss.WholeCores cores ->
            entry
                .put("resource", Resources.CPU)
                .put("wholeCores", cores.whole())
                .put("splitCores", cores.split());
      }
      entry
          .put("container", scene.name(miss.part()))
          .put("asked", miss.asked())
          .put("free", miss.free())
          .put("text", scene.named(miss.text()));
    }
  }

  private void inPlace(ObjectNode entry, NearMiss.InPlace miss) {
    entry
        .put(miss.level() == Level.CACHE ? "cache" : "node", miss.place())
        .put("resource", miss.resource())
        .put("reserved", miss.reserved());
    ObjectNode holders = entry.putObject("holders");
    miss.holders().forEach((uid, amount) -> holders.put(scene.name(uid), amount));
  }

  private void change(ArrayNode list, Remedy remedy) {
    ObjectNode entry = JsonNodeFactory.instance.objectNode();
    switch (remedy) {
      case Remedy.OneGone(List<String> pods) -> {
        entry.put("kind", "leave");
        pods.forEach(pod -> entry.withArray("pods").add(scene.name(pod)));
      }
      case Remedy.OtherScope(var scope) ->
          entry.put("kind", "scope").put("value", scope.kubernetesName());
      case Remedy.OtherPolicy(var policy) ->
          entry.put("kind", "policy").put("value", policy.kubernetesName());
      case Remedy.WithoutOption(List<String> options) -> {
        entry.put("kind", "option");
        options.forEach(entry.putArray("without")::add);
      }
      case Remedy.OtherSize(var container, List<Integer> cpus, int asked) -> {
        entry.put("kind", "size").put("asked", asked);
        container.ifPresent(name -> entry.put("container", name));
        cpus.forEach(entry.putArray("cpus")::add);
      }
      case Remedy.LessMemory(var container, String resource, long bytes, long asked) -> {
        entry.put("kind", "memory").put("resource", resource).put("asked", asked);
        container.ifPresent(name -> entry.put("container", name));
        entry.put("bytes", bytes);
      }
      case Remedy.FewerDevices(var container, String resource, int devices, int asked) -> {
        entry.put("kind", "devices").put("resource", resource).put("asked", asked);
        container.ifPresent(name -> entry.put("container", name));
        entry.put("devices", devices);
      }
      case Remedy.NotEvenEmpty _, Remedy.NothingTried _ -> {
        return;
      }
    }
    list.add(entry.put("text", scene.named(remedy.text())));
  }
}
