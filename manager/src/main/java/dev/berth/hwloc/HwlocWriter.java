package dev.berth.hwloc;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.CoreKind;
import dev.berth.topology.Domain;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import dev.berth.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a topology file that {@code lstopo} of hwloc 2 reads. */
final class HwlocWriter {
  /** The info under which a machine's name stands. */
  static final String NAME = "BerthMachine";

  private static final long PAGE = 4096;

  /** An object of the tree; memory hangs beside its children. */
  private static final class Place {
    final String type;
    final int id;
    final CpuSet cpus;
    final List<Place> children = new ArrayList<>();
    final List<NumaNode> memory = new ArrayList<>();

    Place(String type, int id, CpuSet cpus) {
      this.type = type;
      this.id = id;
      this.cpus = cpus;
    }
  }

  private final Machine machine;
  private final StringBuilder xml = new StringBuilder();
  private int next = 1;

  HwlocWriter(Machine machine) {
    this.machine = machine;
  }

  String write() {
    Place root = new Place("Machine", 0, machine.cpus());
    places().forEach(place -> insert(root, place));
    machine.nodes().forEach(node -> attach(root, node));
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n");
    object(root, "  ");
    distances();
    kinds();
    return xml.append("</topology>\n").toString();
  }

  /** All places from wide to narrow; of equal ones the kind that hwloc puts above comes first. */
  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    List<Domain> sockets = machine.domains(Level.SOCKET);
    sockets.forEach(socket -> places.add(new Place("Package", socket.id(), socket.cpus())));
    machine.dies().forEach(die -> places.add(new Place("Die", die.id(), die.cpus())));
    machine
        .domains(Level.CACHE)
        .forEach(cache -> places.add(new Place("L3Cache", cache.id(), cache.cpus())));
    machine
        .clusters()
        .forEach(cluster -> places.add(new Place("Cluster", cluster.id(), cluster.cpus())));
    machine
        .domains(Level.CORE)
        .forEach(core -> places.add(new Place("Core", core.id(), core.cpus())));
    machine
        .domains(Level.NODE)
        .forEach(node -> {
          boolean shown = places.stream().anyMatch(place -> place.cpus.equals(node.cpus()));
          if (!shown && !node.cpus().equals(machine.cpus())) {
            places.add(new Place("Group", -1, node.cpus()));
          }
        });
    machine.cpus().forEach(cpu -> places.add(new Place("PU", cpu, CpuSet.of(cpu))));
    places.sort((one, other) -> Integer.compare(other.cpus.size(), one.cpus.size()));
    return places;
  }

  private void insert(Place parent, Place place) {
    for (Place child : parent.children) {
      if (place.cpus.isSubsetOf(child.cpus)) {
        insert(child, place);
        return;
      }
      if (place.cpus.intersects(child.cpus)) {
        throw new InvalidInputException(
            "machine "
                + machine.name()
                + ": expected places that nest, for hwloc has only trees, found "
                + child.type
                + " "
                + child.cpus
                + " and "
                + place.type
                + " "
                + place.cpus);
      }
    }
    parent.children.add(place);
  }

  private static void attach(Place root, NumaNode node) {
    Place parent = root;
    boolean descended = !node.cpus().isEmpty();
    while (descended) {
      descended = false;
      for (Place child : parent.children) {
        if (node.cpus().isSubsetOf(child.cpus) && !parent.cpus.equals(node.cpus())) {
          parent = child;
          descended = true;
          break;
        }
      }
    }
    parent.memory.add(node);
  }

  private NodeSet near(CpuSet cpus) {
    return NodeSet.of(
        machine.nodes().stream()
            .filter(node -> node.cpus().intersects(cpus))
            .mapToInt(NumaNode::id)
            .toArray());
  }

  private void object(Place place, String indent) {
    boolean isRoot = place.type.equals("Machine");
    CpuSet complete = isRoot ? place.cpus.union(machine.offline()) : place.cpus;
    NodeSet nodes =
        isRoot
            ? NodeSet.of(machine.nodes().stream().mapToInt(NumaNode::id).toArray())
            : near(place.cpus);
    boolean isGroup = place.type.equals("Group") || place.type.equals("Cluster");
    start(indent, isGroup ? "Group" : place.type, place.id, place.cpus, complete, nodes);
    if (isRoot) {
      attribute("allowed_cpuset", Bitmaps.format(place.cpus));
      attribute("allowed_nodeset", Bitmaps.format(nodes));
    } else if (place.type.equals("L3Cache")) {
      xml.append(" cache_size=\"0\" depth=\"3\" cache_linesize=\"0\" cache_associativity=\"0\"");
      xml.append(" cache_type=\"0\"");
    } else if (isGroup) {
      xml.append(place.type.equals("Cluster") ? " subtype=\"Cluster\"" : "");
      xml.append(" kind=\"0\" subkind=\"0\"");
    }
    if (place.children.isEmpty() && place.memory.isEmpty()) {
      xml.append("/>\n");
      return;
    }
    xml.append(">\n");
    if (isRoot) {
      info(indent + "  ", NAME, machine.name());
    }
    place.memory.forEach(node -> node(node, indent + "  "));
    place.children.sort((one, other) -> Integer.compare(one.cpus.first(), other.cpus.first()));
    place.children.forEach(child -> object(child, indent + "  "));
    xml.append(indent).append("</object>\n");
  }

  private void start(
      String indent, String type, int id, CpuSet cpus, CpuSet complete, NodeSet nodes) {
    xml.append(indent).append("<object");
    attribute("type", type);
    if (id >= 0) {
      attribute("os_index", String.valueOf(id));
    }
    attribute("cpuset", Bitmaps.format(cpus));
    attribute("complete_cpuset", Bitmaps.format(complete));
    attribute("nodeset", Bitmaps.format(nodes));
    attribute("complete_nodeset", Bitmaps.format(nodes));
    attribute("gp_index", String.valueOf(next++));
  }

  private void node(NumaNode node, String indent) {
    start(indent, "NUMANode", node.id(), node.cpus(), node.cpus(), NodeSet.of(node.id()));
    attribute("local_memory", String.valueOf(node.memory().bytes()));
    xml.append(">\n");
    long huge = 0;
    for (Map.Entry<Long, Long> pages : node.memory().hugepages().entrySet()) {
      huge += (pages.getKey() * pages.getValue()) << 10;
    }
    page(indent, PAGE, Math.max(node.memory().bytes() - huge, 0) / PAGE);
    node.memory().hugepages().forEach((size, count) -> page(indent, size << 10, count));
    xml.append(indent).append("</object>\n");
  }

  private void page(String indent, long size, long count) {
    xml.append(indent).append("  <page_type");
    attribute("size", String.valueOf(size));
    attribute("count", String.valueOf(count));
    xml.append("/>\n");
  }

  private void distances() {
    List<NumaNode> nodes = machine.nodes();
    if (nodes.size() < 2) {
      return;
    }
    StringBuilder ids = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (NumaNode from : nodes) {
      ids.append(from.id()).append(' ');
      for (NumaNode to : nodes) {
        values.append(machine.distances().between(from.id(), to.id())).append(' ');
      }
    }
    xml.append("  <distances2 type=\"NUMANode\" nbobjs=\"").append(nodes.size());
    xml.append("\" kind=\"5\" name=\"NUMALatency\" indexing=\"os\">\n");
    xml.append("    <indexes length=\"").append(ids.length()).append("\">").append(ids);
    xml.append("</indexes>\n    <u64values length=\"").append(values.length()).append("\">");
    xml.append(values).append("</u64values>\n  </distances2>\n");
  }

  private void kinds() {
    for (CoreKind kind : machine.kinds().reversed()) {
      xml.append("  <cpukind");
      attribute("cpuset", Bitmaps.format(kind.cpus()));
      xml.append(">\n");
      info("    ", "CoreType", kind.name());
      if (kind.capacity() > 0) {
        info("    ", "LinuxCapacity", String.valueOf(kind.capacity()));
      }
      xml.append("  </cpukind>\n");
    }
  }

  private void info(String indent, String name, String value) {
    xml.append(indent).append("<info");
    attribute("name", name);
    attribute("value", value);
    xml.append("/>\n");
  }

  private void attribute(String name, String value) {
    xml.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
  }

  private static String escaped(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("\"", "&quot;")
        .replaceAll("\\p{Cntrl}", "?");
  }
}
