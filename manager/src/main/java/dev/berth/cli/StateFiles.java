package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.MemoryCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The checkpoints that a command is about.
 *
 * @param cpus of the CPU manager, if there is one
 * @param memory of the memory manager, if there is one
 */
record StateFiles(Optional<CpuCheckpoint> cpus, Optional<MemoryCheckpoint> memory) {
  static final String CPU = "cpu_manager_state";
  static final String MEMORY = "memory_manager_state";

  /**
   * Reads a checkpoint, or those in a folder.
   *
   * @throws InvalidInputException where one is torn, tampered with or something else
   * @throws IOException where one cannot be read
   */
  static StateFiles read(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      String text = TextFile.read(path);
      String source = path.toString();
      return isMemory(path, text)
          ? new StateFiles(Optional.empty(), Optional.of(MemoryCheckpoint.read(source, text)))
          : new StateFiles(Optional.of(CpuCheckpoint.read(source, text)), Optional.empty());
    }
    Path cpus = path.resolve(CPU);
    Path memory = path.resolve(MEMORY);
    if (!Files.exists(cpus) && !Files.exists(memory)) {
      throw new InvalidInputException(
          path + ": expected " + CPU + " or " + MEMORY + " in it, found neither");
    }
    return new StateFiles(
        Files.exists(cpus)
            ? Optional.of(CpuCheckpoint.read(cpus.toString(), TextFile.read(cpus)))
            : Optional.empty(),
        Files.exists(memory)
            ? Optional.of(MemoryCheckpoint.read(memory.toString(), TextFile.read(memory)))
            : Optional.empty());
  }

  /** By its name, or where it has another, by the field that the other kind does not have. */
  private static boolean isMemory(Path file, String text) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(MEMORY) || (!name.startsWith(CPU) && text.contains("\"machineState\""));
  }
}
