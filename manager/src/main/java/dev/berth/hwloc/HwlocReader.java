package dev.berth.hwloc;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.topology.Machine;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Walks the elements of a topology file and hands what counts to {@link HwlocMachine}. */
final class HwlocReader {
  private static final int L3 = 3;

  private final XMLStreamReader xml;
  private final HwlocMachine machine;
  private final List<String> open = new ArrayList<>();
  private @Nullable Distances2 distances;

  /** A matrix that is being read; version 1 gives no indexes and multiplies a base. */
  private static final class Distances2 {
    final List<Integer> indexes = new ArrayList<>();
    final List<Double> values = new ArrayList<>();
    double base = 1;
    boolean wanted = true;
  }

  HwlocReader(String text, String name) {
    machine = new HwlocMachine(name);
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      xml = factory.createXMLStreamReader(new StringReader(text));
    } catch (XMLStreamException e) {
      throw broken(e);
    }
  }

  Machine read() {
    try {
      while (xml.hasNext()) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> start(xml.getLocalName());
          case XMLStreamConstants.END_ELEMENT -> end(xml.getLocalName());
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      throw broken(e);
    }
    return machine.build();
  }

  private static InvalidInputException broken(XMLStreamException e) {
    String place =
        e.getLocation() == null
            ? ""
            : " at line "
                + e.getLocation().getLineNumber()
                + ", column "
                + e.getLocation().getColumnNumber();
    String message = String.valueOf(e.getMessage());
    String found = message.substring(message.indexOf("Message: ") + 1).replaceAll("\\s+", " ");
    return new InvalidInputException(
        "hwloc xml: expected well-formed XML"
            + place
            + ", found "
            + found.replace("essage: ", "").strip(),
        e);
  }

  private void start(String element) throws XMLStreamException {
    if (open.isEmpty() && !element.equals("topology")) {
      throw wrong("element topology", "<" + element + ">");
    }
    open.add(element);
    switch (element) {
      case "object" -> object();
      case "info" -> info();
      case "page_type" ->
          machine.pages(number("size", attribute("size")), number("count", attribute("count")));
      case "distances2" -> {
        distances = new Distances2();
        distances.wanted =
            "NUMANode".equals(attribute("type")) && "os".equals(attribute("indexing"));
      }
      case "distances" -> {
        distances = new Distances2();
        distances.base = decimal(attributeOr("latency_base", "1"));
      }
      case "indexes" -> numbers();
      case "u64values" -> numbers();
      case "latency" -> value(attributeOr("value", "0"));
      case "cpukind" -> machine.kind(Bitmaps.parse("cpukind", attributeOr("cpuset", "")));
      default -> {}
    }
  }

  private void end(String element) {
    // Text elements consume their own end, so the innermost open element may be one of those.
    open.removeLast();
    Distances2 matrix = distances;
    if (matrix != null && (element.equals("distances2") || element.equals("distances"))) {
      if (matrix.wanted && !matrix.values.isEmpty()) {
        machine.distances(matrix.indexes, matrix.values, matrix.base);
      }
      distances = null;
    }
  }

  private void info() {
    String name = attributeOr("name", "");
    String value = attributeOr("value", "");
    boolean inKind = open.size() > 1 && open.get(open.size() - 2).equals("cpukind");
    if (inKind) {
      machine.kindInfo(name, value);
    } else {
      machine.info(name, value);
    }
  }

  private void numbers() throws XMLStreamException {
    String element = xml.getLocalName();
    String text = xml.getElementText();
    open.removeLast();
    Distances2 matrix = distances;
    if (matrix == null || !matrix.wanted) {
      return;
    }
    for (String word : text.strip().split("\\s+", -1)) {
      if (!word.matches("[0-9]{1,9}")) {
        throw wrong("numbers in " + element, '"' + word + '"');
      }
      if (element.equals("indexes")) {
        matrix.indexes.add(Integer.valueOf(word));
      } else {
        matrix.values.add(Double.valueOf(word));
      }
    }
  }

  private void value(String text) {
    Distances2 matrix = distances;
    if (matrix != null) {
      matrix.values.add(decimal(text));
    }
  }

  private double decimal(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw wrong("a number as latency", '"' + text + '"');
    }
  }

  private void object() {
    machine.other();
    String bitmap = attribute("cpuset");
    if (bitmap == null) {
      return;
    }
    String type = attributeOr("type", "");
    CpuSet cpus = Bitmaps.parse(type + " cpuset", bitmap);
    String index = attribute("os_index");
    int id = index == null ? -1 : (int) Math.min(number("os_index", index), Integer.MAX_VALUE);
    HwlocMachine.Kind kind = kind(type);
    if (kind != null) {
      machine.place(kind, id, cpus);
    } else if (type.equals("Machine") || type.equals("System")) {
      machine.whole(
          cpus,
          Bitmaps.parse("complete_cpuset", attributeOr("complete_cpuset", bitmap)),
          Bitmaps.parse("allowed_cpuset", attributeOr("allowed_cpuset", bitmap)));
    } else if (type.equals("NUMANode") || type.equals("Node")) {
      if (id < 0) {
        throw wrong("an os_index on NUMANode", "none");
      }
      machine.node(id, cpus);
    } else if (type.equals("PU")) {
      machine.cpu(id, cpus);
    }
    String memory = attribute("local_memory");
    if (memory != null) {
      machine.memory(number("local_memory", memory));
    }
  }

  /** What kind of place the object is, or null; version 1 has one name for caches of all levels. */
  private HwlocMachine.@Nullable Kind kind(String type) {
    return switch (type) {
      case "Package", "Socket" -> HwlocMachine.Kind.PACKAGE;
      case "Die" -> HwlocMachine.Kind.DIE;
      case "L3Cache" -> HwlocMachine.Kind.L3;
      case "Cache" ->
          number("depth", attributeOr("depth", "0")) == L3 ? HwlocMachine.Kind.L3 : null;
      case "Core" -> HwlocMachine.Kind.CORE;
      case "Group" -> "Cluster".equals(attribute("subtype")) ? HwlocMachine.Kind.CLUSTER : null;
      default -> null;
    };
  }

  private @Nullable String attribute(String name) {
    return xml.getAttributeValue(null, name);
  }

  private String attributeOr(String name, String otherwise) {
    String value = attribute(name);
    return value == null ? otherwise : value;
  }

  private long number(String what, @Nullable String text) {
    if (text == null || !text.matches("[0-9]{1,18}")) {
      throw wrong("a number as " + what, text == null ? "nothing" : '"' + text + '"');
    }
    return Long.parseLong(text);
  }

  private InvalidInputException wrong(String expected, String found) {
    return new InvalidInputException(
        "hwloc xml: expected "
            + expected
            + " at line "
            + xml.getLocation().getLineNumber()
            + ", column "
            + xml.getLocation().getColumnNumber()
            + ", found "
            + found);
  }
}
