package dev.berth.cli;

import dev.berth.cpu.CpuSet;
import dev.berth.hwloc.HwlocXml;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.topology.Machines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Command lines that need no agent, one of each kind and form of answer, and their files. */
final class Lessons {
  private static final String MACHINE = "epyc-7702p";

  /** With several NUMA nodes and caches, where there is more to weigh. */
  private static final String LARGE_MACHINE = "pack:2 node:2 l3:2 core:4 pu:2";

  /** Too small for the pod, which is told why and what would help. */
  private static final String SMALL_MACHINE = "pack:1 core:2 pu:1";

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: alone}
      spec:
        containers:
        - name: app
          resources: {limits: {cpu: "4", memory: 1Gi}}
      """;

  private static final String CASE =
      """
      {"id":"lesson","machine":{"cpus":[[0,0,0,0,0],[1,0,0,0,0],[2,2,0,0,0],[3,2,0,0,0]],\
      "distances":[[10]]},"config":{"reservedCpus":"0","cpuOptions":{},\
      "topologyPolicy":"best-effort","topologyScope":"container"},"steps":[{"admit":{"uid":"alone",\
      "containers":[{"name":"app","requests":{"cpu":"1","memory":"1Mi"},\
      "limits":{"cpu":"1","memory":"1Mi"}}]}}],"expect":{"reserved":"0","steps":[{"admitted":true,\
      "affinity":{"app":{"numa":[0],"preferred":true}},"exclusive":{"app":"1"},\
      "defaultCpuSet":"0,2-3"}]}}
      """;

  static final String SETTINGS =
      """
      reservedSystemCPUs: "0"
      memoryManagerPolicy: Static
      reservedMemory: [{numaNode: 0, limits: {memory: 100Mi}}]
      """;

  private static final String CHECKPOINT =
      """
      {"policyName":"none","defaultCpuSet":"","checksum":1353318690}\
      """;

  /** Of a node on which a container has CPUs of its own. */
  private static final CpuCheckpoint OWNED =
      new CpuCheckpoint(
          CpuCheckpoint.Format.V2,
          "static",
          CpuSet.parse("0-3,8-127"),
          new TreeMap<>(Map.of("alone", new TreeMap<>(Map.of("app", CpuSet.parse("4-7"))))),
          new TreeMap<>());

  /** Lines that are refused: with a name that there is not, and an option. */
  static final List<List<String>> WRONG =
      List.of(List.of("topology", "--machine", "nonsense"), List.of("topology", "--nonsense"));

  private Lessons() {}

  /** Writes the files into a folder; what is to be run. */
  static List<List<String>> in(Path folder) throws IOException {
    String pod = write(folder, "pod.yaml", POD);
    String recorded = write(folder, "case.jsonl", CASE);
    String settings = write(folder, "settings.yaml", SETTINGS);
    Path kubelet = Files.createDirectory(folder.resolve("kubelet"));
    write(kubelet, "cpu_manager_state", CHECKPOINT);
    Path node = Files.createDirectory(folder.resolve("node"));
    write(node, "cpu_manager_state", OWNED.write());
    List<String> rules = List.of(node.toString(), "--machine", MACHINE, "--reserved-cpus", "0-1");
    String hwloc = write(folder, "machine.xml", HwlocXml.write(Machines.named(MACHINE)));
    return List.of(
        List.of("--version"),
        List.of("--help"),
        List.of("help"),
        List.of("state", "--help"),
        List.of("run", "--help"),
        List.of("topology"),
        List.of("topology", "-o", "json"),
        List.of("topology", "-o", "svg"),
        List.of("topology", "--machine", MACHINE),
        List.of("topology", "--machine", MACHINE, "-o", "hwloc"),
        List.of("topology", "--hwloc", hwloc),
        List.of("machines"),
        List.of("machines", "-o", "json"),
        List.of("replay", recorded),
        List.of("replay", "--check", recorded),
        List.of("explain", "-f", pod, "--machine", MACHINE),
        List.of("explain", "-f", pod, "--machine", MACHINE, "-o", "json"),
        List.of("explain", "-f", pod, "--machine", LARGE_MACHINE, "--config", settings),
        List.of("simulate", "-f", pod, "--machine", MACHINE),
        List.of("simulate", "-f", pod, "--machine", MACHINE, "-o", "json"),
        List.of("simulate", "-f", pod, "--machine", MACHINE, "-o", "svg"),
        List.of("simulate", "-f", pod, "--machine", MACHINE, "-o", "html"),
        List.of("simulate", "-f", pod, "--machine", SMALL_MACHINE),
        List.of(
            "simulate",
            "-f",
            pod,
            "--machine",
            SMALL_MACHINE,
            "--topology-manager-policy",
            "restricted"),
        List.of("simulate", "-f", pod, "--machine", MACHINE, "--compare"),
        List.of("simulate", "-f", pod, "--machine", LARGE_MACHINE, "--compare", "-o", "json"),
        List.of("state", "show", kubelet.toString()),
        List.of("state", "show", kubelet.toString(), "-o", "json"),
        List.of("state", "check", kubelet.toString(), "--cpu-manager-policy", "none"),
        List.of("state", "check", kubelet.toString(), "--cpu-manager-policy", "none", "-o", "json"),
        line(List.of("state", "check"), rules),
        line(List.of("state", "migrate"), rules),
        line(List.of("state", "migrate", "-o", "json"), rules),
        List.of("config", "show"),
        List.of("config", "check", settings, "--machine", LARGE_MACHINE),
        List.of("completion", "bash"),
        List.of("man"));
  }

  private static List<String> line(List<String> command, List<String> words) {
    List<String> line = new ArrayList<>(command);
    line.addAll(words);
    return line;
  }

  private static String write(Path folder, String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
