package dev.berth.linux;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.cpu.NodeSet;
import dev.berth.topology.MachineBuilder;
import dev.berth.topology.NodeMemory;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** NUMA nodes with their CPUs, distances, memory and hugepages. */
final class Nodes {
  private static final String FOLDER = "devices/system/node/";
  private static final String MEMORY = "MemTotal:";

  private final SysTree tree;
  private final CpuSet usable;

  Nodes(SysTree tree, CpuSet usable) {
    this.tree = tree;
    this.usable = usable;
  }

  /** The node of each CPU; 0 for all on a machine without NUMA. */
  int[] nodes(MachineBuilder builder) {
    NodeSet nodes = online();
    if (nodes.isEmpty()) {
      String meminfo = tree.proc("meminfo");
      long bytes = meminfo == null ? 0 : memTotal(meminfo, "meminfo");
      builder.memory(0, NodeMemory.of(bytes, hugepages("kernel/mm/hugepages/")));
      builder.note("no NUMA: one node, 0");
      return new int[usable.last() + 1];
    }
    int[] names = new int[usable.last() + 1];
    Arrays.fill(names, -1);
    nodes.forEach(node -> {
      cpus(node).intersection(usable).forEach(cpu -> place(names, cpu, node));
      builder.memory(node, memory(node, builder));
    });
    usable.forEach(cpu -> {
      if (names[cpu] < 0) {
        throw new InvalidInputException(
            "sysfs "
                + tree.file(FOLDER)
                + ": expected CPU "
                + cpu
                + " in the cpulist of a node, found it in none of "
                + nodes);
      }
    });
    int @Nullable [][] distances = distances(nodes);
    if (distances != null) {
      builder.distances(distances);
    }
    return names;
  }

  /**
   * CPUs that are online while their node is not. The kernel lists them in no node, and their
   * memory is another node's, so nothing can be aligned for them; the machine's notes say so.
   */
  static CpuSet ofOfflineNodes(SysTree tree, CpuSet usable, MachineBuilder builder) {
    Nodes all = new Nodes(tree, usable);
    NodeSet online = all.online();
    NodeSet offline = all.possible().difference(online);
    if (online.isEmpty() || offline.isEmpty()) {
      return CpuSet.EMPTY;
    }
    CpuSet rest = usable;
    for (int node = online.first(); node >= 0; node = online.next(node + 1)) {
      rest = rest.difference(all.cpus(node));
    }
    if (rest.isEmpty()) {
      return CpuSet.EMPTY;
    }
    if (rest.equals(usable)) {
      throw tree.wrong(FOLDER + "online", "a node with a usable CPU", online.toString());
    }
    builder.note(
        "CPUs "
            + rest
            + " are left out: their NUMA node is offline (online are "
            + online
            + ", offline "
            + offline
            + ")");
    return rest;
  }

  private void place(int[] names, int cpu, int node) {
    if (names[cpu] >= 0) {
      throw tree.wrong(
          folder(node) + "cpulist",
          "CPU " + cpu + " in one node",
          "it in node " + names[cpu] + " too");
    }
    names[cpu] = node;
  }

  private static String folder(int node) {
    return FOLDER + "node" + node + "/";
  }

  private NodeSet online() {
    String online = tree.text(FOLDER + "online");
    if (online != null) {
      return parse("online", online);
    }
    return NodeSet.of(
        tree.names(FOLDER).stream()
            .filter(name -> name.matches("node[0-9]{1,6}"))
            .mapToInt(name -> Integer.parseInt(name.substring(4)))
            .toArray());
  }

  /** The nodes that may come online; none where the kernel does not tell. */
  private NodeSet possible() {
    String possible = tree.text(FOLDER + "possible");
    return possible == null ? NodeSet.EMPTY : parse("possible", possible);
  }

  private NodeSet parse(String file, String text) {
    try {
      return NodeSet.parse(text);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "sysfs " + tree.file(FOLDER + file) + ": " + e.getMessage(), e);
    }
  }

  private CpuSet cpus(int node) {
    CpuSet list = tree.list(folder(node) + "cpulist");
    CpuSet cpus = list == null ? tree.mask(folder(node) + "cpumap") : list;
    if (cpus == null) {
      throw tree.wrong(folder(node) + "cpulist", "a list of CPUs", "no such file");
    }
    return cpus;
  }

  private NodeMemory memory(int node, MachineBuilder builder) {
    String path = folder(node) + "meminfo";
    String meminfo = tree.text(path);
    if (meminfo == null) {
      builder.note("node " + node + " has no meminfo: its memory counts as 0");
    }
    long bytes = meminfo == null ? 0 : memTotal(meminfo, path);
    return NodeMemory.of(bytes, hugepages(folder(node) + "hugepages/"));
  }

  /** The bytes in a line such as {@code Node 0 MemTotal: 480524 kB}. */
  private long memTotal(String meminfo, String path) {
    int at = meminfo.indexOf(MEMORY);
    if (at >= 0) {
      String[] words = meminfo.substring(at + MEMORY.length()).strip().split("\\s+", 3);
      if (words.length >= 2 && words[0].matches("[0-9]{1,15}") && words[1].equals("kB")) {
        return Long.parseLong(words[0]) << 10;
      }
    }
    throw tree.wrong(
        path,
        "a line with " + MEMORY + " and a number of kB",
        '"' + SysTree.shortened(meminfo) + '"');
  }

  /** Pages by size in KiB; a size of which there are none shows that the kernel knows it. */
  private Map<Long, Long> hugepages(String folder) {
    SortedMap<Long, Long> pages = new TreeMap<>();
    for (String name : tree.names(folder)) {
      if (name.matches("hugepages-[0-9]{1,12}kB")) {
        long size = Long.parseLong(name.substring("hugepages-".length(), name.length() - 2));
        pages.put(size, tree.number(folder + name + "/nr_hugepages", 0));
      }
    }
    return pages;
  }

  /** A row a node; null where no node has one. */
  private int @Nullable [][] distances(NodeSet nodes) {
    int[][] rows = new int[nodes.size()][];
    int missing = 0;
    int at = 0;
    int absent = nodes.first();
    for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
      String text = tree.text(folder(node) + "distance");
      if (text == null) {
        missing++;
        absent = node;
      } else {
        rows[at] = row(node, text, nodes);
      }
      at++;
    }
    if (missing == rows.length) {
      return null;
    }
    if (missing > 0) {
      throw tree.wrong(folder(absent) + "distance", nodes.size() + " numbers", "no such file");
    }
    return rows;
  }

  /** A row has a number for each node that is online; with offline nodes maybe also for these. */
  private int[] row(int node, String text, NodeSet nodes) {
    int[] row = row(text);
    NodeSet possible = possible();
    if (row.length != nodes.size() && row.length == possible.size()) {
      int[] all = row;
      int[] ids = possible.stream().toArray();
      row =
          IntStream.range(0, ids.length)
              .filter(i -> nodes.contains(ids[i]))
              .map(i -> all[i])
              .toArray();
    }
    if (row.length != nodes.size() || Arrays.stream(row).anyMatch(distance -> distance == 0)) {
      throw tree.wrong(
          folder(node) + "distance",
          nodes.size() + " numbers above 0",
          '"' + SysTree.shortened(text) + '"');
    }
    return row;
  }

  private static int[] row(String text) {
    String[] words = text.split("\\s+", -1);
    int[] row = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      row[i] = words[i].matches("[0-9]{1,9}") ? Integer.parseInt(words[i]) : 0;
    }
    return row;
  }
}
