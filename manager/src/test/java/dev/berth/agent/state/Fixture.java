package dev.berth.agent.state;

import dev.berth.kubelet.NodeSettings;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.Decision;
import dev.berth.ledger.Device;
import dev.berth.ledger.Migration;
import dev.berth.ledger.Node;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A machine of 8 CPUs and what is needed to write pods on it down. */
final class Fixture {
  static final Machine MACHINE = Machines.parse("pack:1 node:2(memory=4GiB) l3:2 core:2 pu:1");
  static final Configuration CONFIGURATION =
      NodeSettings.read(
              "",
              """
              topologyManagerPolicy: best-effort
              memoryManagerPolicy: Static
              reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}]
              """,
              List.of())
          .configuration();

  private Fixture() {}

  static Node node() {
    Node node = Node.start(MACHINE, CONFIGURATION);
    node.devices(List.of(Device.of("example.com/gpu", "gpu-0", 0)));
    return node;
  }

  /** The node that an agent goes on with after a start. */
  static Node node(Recovered found) {
    return Migration.plan(
            Node.builder(MACHINE, CONFIGURATION)
                .devices(List.of(Device.of("example.com/gpu", "gpu-0", 0))),
            found.before())
        .node();
  }

  static Pod shared(String uid) {
    return Pod.of(uid, List.of(new Container("app", Container.Role.APP, Resources.NONE)));
  }

  static void admit(Node node, Pod pod) {
    if (node.admit(pod) instanceof Decision.Refused refused) {
      throw new AssertionError(refused);
    }
  }

  static String spec(String uid) {
    return "{\"name\":\"" + uid + "\",\"text\":\"ä\\n\"}";
  }

  /** What is in a folder, by name, but for the lock. */
  static SortedMap<String, String> files(Path folder) {
    SortedMap<String, String> files = new TreeMap<>();
    try (Stream<Path> list = Files.list(folder)) {
      for (Path file : list.toList()) {
        if (!file.endsWith(FolderLock.FILE)) {
          files.put(String.valueOf(file.getFileName()), Files.readString(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> list = Files.list(from)) {
      for (Path file : list.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
