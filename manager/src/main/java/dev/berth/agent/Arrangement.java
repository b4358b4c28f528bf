package dev.berth.agent;

import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings.CpuPartition;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * How the agent was told to do things.
 *
 * @param isolated whether exclusive containers are partitions of their own
 * @param logs the folder for what containers print
 */
record Arrangement(boolean isolated, Path logs) {
  /** The folder below the state folder. */
  static final String LOGS = "logs";

  static Arrangement of(NodeSettings settings, AgentOptions options) {
    return new Arrangement(
        settings.own().partition() == CpuPartition.ISOLATED, options.state().resolve(LOGS));
  }

  /** Where the output of a container goes. */
  Path log(Tenant resident, String container) {
    return logs.resolve(resident.uid() + "~" + container + ".log");
  }

  /** Removes the output of pods that went while nobody could do so. */
  void sweepLogs(Set<String> known) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(logs, "*~*.log")) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (!known.contains(name.substring(0, name.indexOf('~')))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** Nobody can ask for the output of a pod that is gone. */
  void removeLog(Tenant resident, String container) {
    try {
      Files.deleteIfExists(log(resident, container));
      Files.deleteIfExists(LogRotation.old(log(resident, container)));
    } catch (IOException e) {
      // It is written over when a pod of that name comes again.
      return;
    }
  }
}
