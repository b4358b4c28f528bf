package dev.berth.agent;

import dev.berth.cgroup.Cgroups;
import dev.berth.cgroup.Detected;
import dev.berth.cgroup.GroupPath;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps enforcing agents of root apart: one agent has the machine, or several have disjoint CPUs.
 *
 * <p>In the folder of locks, {@code machine.lock} is held by the agent that has the machine to
 * itself, and {@code cgroup-NAME.lock} by the agent with that cgroup root. Each names the process
 * that holds it, and the latter the CPUs on which that agent places containers. The kernel releases
 * a lock with its process. {@code claims.lock} is held while claims are compared and written.
 */
final class AgentLocks implements AutoCloseable {
  private static final String MACHINE = "machine.lock";
  private static final String CLAIMS = "claims.lock";
  private static final String CGROUP = "cgroup-";
  private static final String ENDING = ".lock";

  /** A process and a list of CPUs. */
  private static final int LONGEST = 64 << 10;

  /**
   * What another agent says of itself.
   *
   * @param pid its process, which may have ended
   * @param cpus on which it places containers
   * @param runs whether it runs; its containers do at least
   * @param cgroup the name of its cgroup root
   */
  private record Claim(String pid, CpuSet cpus, boolean runs, String cgroup) {
    Claim of(boolean agentRuns, String name) {
      return new Claim(pid, cpus, agentRuns, name);
    }

    @Override
    public String toString() {
      return runs
          ? "the agent with pid " + pid
          : "the containers in cgroup " + cgroup + ", whose agent has ended";
    }
  }

  private final Path folder;
  private final String own;
  private final boolean alone;
  private final List<FileChannel> held = new ArrayList<>();
  private @Nullable FileChannel claim;

  private AgentLocks(Path folder, String cgroup, boolean alone) {
    this.folder = folder;
    this.alone = alone;
    own = CGROUP + cgroup + ENDING;
  }

  /**
   * Takes the locks of an agent.
   *
   * @param folder of locks, which is made where it is not there
   * @param cgroup the name of its cgroup root
   * @param alone whether no other agent may be there, whatever its CPUs
   * @param cpus on which it places containers
   * @throws InvalidInputException naming the agent that is in the way
   */
  static AgentLocks take(Path folder, String cgroup, boolean alone, CpuSet cpus)
      throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    AgentLocks locks = new AgentLocks(folder, cgroup, alone);
    try {
      locks.take(cgroup, cpus);
      return locks;
    } catch (IOException | RuntimeException e) {
      locks.close();
      throw e;
    }
  }

  private void take(String cgroup, CpuSet cpus) throws IOException {
    if (alone) {
      FileChannel machine = lock(MACHINE, "this machine", "; --allow-second-agent lifts this lock");
      write(machine, "");
    }
    FileChannel group = lock(own, "cgroup " + cgroup, "; give another --cgroup");
    claim = group;
    claim(cpus);
  }

  /**
   * From now on these are the CPUs on which the agent places containers.
   *
   * @throws InvalidInputException where another agent has one of them; then nothing changes
   */
  void claim(CpuSet cpus) throws IOException {
    try (FileChannel guard = open(folder.resolve(CLAIMS))) {
      var _ = guard.lock();
      for (Claim other : others()) {
        CpuSet both = other.cpus().intersection(cpus);
        if (!both.isEmpty()) {
          throw new InvalidInputException(
              "CPUs "
                  + cpus
                  + ": expected none of those of "
                  + other
                  + ", found "
                  + both
                  + " in both"
                  + (!other.runs()
                      ? "; start an agent with --cgroup "
                          + other.cgroup()
                          + " and its --state first"
                      : alone
                          ? ""
                          : "; reserve the other agent's CPUs with reservedSystemCPUs and"
                              + " strict-cpu-reservation, in both configurations"));
        }
      }
      if (claim != null) {
        write(claim, cpus.toString());
      }
    }
  }

  private List<Claim> others() throws IOException {
    List<Claim> claims = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, CGROUP + "*" + ENDING)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        String group = name.substring(CGROUP.length(), name.length() - ENDING.length());
        boolean held = !own.equals(name) && isHeld(file);
        if (!own.equals(name) && (held || isPopulated(group))) {
          claims.add(claimIn(file).of(held, group));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return claims;
  }

  /** Whether containers run on that an agent has left there. */
  private static boolean isPopulated(String cgroup) {
    return Cgroups.detect(cgroup) instanceof Detected.Usable usable
        && usable.cgroups().populated(GroupPath.OWN);
  }

  /**
   * The process of the agent that has the machine, where one has it; for an agent that takes no
   * lock.
   */
  static Optional<String> holder(Path folder) {
    Path file = folder.resolve(MACHINE);
    try {
      return isHeld(file) ? Optional.of(claimIn(file).pid()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A lock to read is refused where another process has one to write. */
  private static boolean isHeld(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      @Nullable FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Claim claimIn(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel);
    }
  }

  private static Claim read(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(LONGEST);
    channel.read(buffer, 0);
    String text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    String[] lines = text.split("\n", -1);
    String pid = lines[0].matches("[0-9]+") ? lines[0] : "unknown";
    try {
      CpuSet cpus = lines.length > 1 ? CpuSet.parse(lines[1].strip()) : CpuSet.EMPTY;
      return new Claim(pid, cpus, true, "");
    } catch (InvalidInputException e) {
      throw new IOException("lock: " + e.line(), e);
    }
  }

  private FileChannel lock(String name, String what, String advice) throws IOException {
    FileChannel channel = open(folder.resolve(name));
    held.add(channel);
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new InvalidInputException(
          what
              + ": expected no other agent, found the one with pid "
              + read(channel).pid()
              + " ("
              + folder.resolve(name)
              + ")"
              + advice);
    }
    return channel;
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        java.util.Set.of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
  }

  private static void write(FileChannel channel, String cpus) throws IOException {
    String text = ProcessHandle.current().pid() + "\n" + cpus + "\n";
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    channel.truncate(text.length());
  }

  /**
   * Releases all locks. Their files stay, because removing one races with an agent that opens it.
   */
  @Override
  public void close() throws IOException {
    for (FileChannel channel : held) {
      channel.close();
    }
  }
}
