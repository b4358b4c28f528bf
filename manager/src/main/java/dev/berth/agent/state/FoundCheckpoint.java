package dev.berth.agent.state;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.CpuCheckpoint;
import dev.berth.kubelet.CpuCheckpoint.Format;
import dev.berth.kubelet.MemoryCheckpoint;
import dev.berth.ledger.Assignments;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.DeviceAssignments;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint as it was found: absent, sound, or at fault.
 *
 * @param name of the file
 * @param isSound whether it is there and can be trusted
 * @param fault what is wrong with it, where something is
 * @param holdings by uid, who has what by it; empty where it is not sound
 * @param accounts of memory, where it has them
 */
record FoundCheckpoint(
    String name,
    boolean isSound,
    Optional<String> fault,
    SortedMap<String, Holding> holdings,
    Optional<MemoryAssignments> accounts) {
  private static final Assignments NO_CPUS = Assignments.of(CpuPolicy.NONE, CpuSet.EMPTY, Map.of());

  static FoundCheckpoint cpus(Path folder) throws IOException {
    Path file = folder.resolve(Checkpoints.CPU);
    if (!Files.exists(file)) {
      return absent(Checkpoints.CPU);
    }
    try {
      return sound(Checkpoints.CPU, cpuHoldings(CpuCheckpoint.read("", text(file))), null);
    } catch (InvalidInputException e) {
      return faulty(Checkpoints.CPU, e);
    }
  }

  static FoundCheckpoint memory(Path folder) throws IOException {
    Path file = folder.resolve(Checkpoints.MEMORY);
    if (!Files.exists(file)) {
      return absent(Checkpoints.MEMORY);
    }
    try {
      MemoryAssignments accounts = MemoryCheckpoint.read("", text(file)).assignments();
      SortedMap<String, Holding> holdings =
          Holding.all(NO_CPUS, Optional.of(accounts), DeviceAssignments.NONE);
      return sound(Checkpoints.MEMORY, holdings, accounts);
    } catch (InvalidInputException e) {
      return faulty(Checkpoints.MEMORY, e);
    }
  }

  private static FoundCheckpoint absent(String name) {
    return new FoundCheckpoint(name, false, Optional.empty(), new TreeMap<>(), Optional.empty());
  }

  private static FoundCheckpoint sound(
      String name, SortedMap<String, Holding> holdings, @Nullable MemoryAssignments accounts) {
    holdings.values().removeIf(Holding::isEmpty);
    return new FoundCheckpoint(
        name, true, Optional.empty(), holdings, Optional.ofNullable(accounts));
  }

  private static FoundCheckpoint faulty(String name, InvalidInputException e) {
    String fault = e.line().replaceFirst("^: ", "");
    return new FoundCheckpoint(name, false, Optional.of(fault), new TreeMap<>(), Optional.empty());
  }

  private static String text(Path file) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidInputException("expected text in UTF-8, found other bytes", e);
    }
  }

  /** In format v1 every container is a holder of its own, for nobody knows its pod. */
  private static SortedMap<String, Holding> cpuHoldings(CpuCheckpoint checkpoint) {
    Map<String, SortedMap<String, CpuSet>> entries = checkpoint.entries();
    if (checkpoint.format() == Format.V1) {
      Map<String, SortedMap<String, CpuSet>> byId = new TreeMap<>();
      entries
          .getOrDefault(CpuCheckpoint.NO_POD, new TreeMap<>())
          .forEach((id, cpus) -> byId.put(id, new TreeMap<>(Map.of(id, cpus))));
      entries = byId;
    }
    CpuPolicy policy = CpuPolicy.named(checkpoint.policyName());
    return Holding.all(
        Assignments.of(policy, checkpoint.shared(), entries, checkpoint.podEntries()),
        Optional.empty(),
        DeviceAssignments.NONE);
  }

  /** The same with every container on its own. */
  FoundCheckpoint apart() {
    return new FoundCheckpoint(
        name, isSound, fault, Apart.split(holdings), accounts.map(Apart::split));
  }

  /** The part of what somebody has that this file tells of. */
  UnaryOperator<Holding> part() {
    return name.equals(Checkpoints.CPU) ? Holding::cpuPart : Holding::memoryPart;
  }
}
