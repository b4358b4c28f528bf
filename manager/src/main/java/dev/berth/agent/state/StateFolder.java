package dev.berth.agent.state;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.linux.OwnFolder;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The folder in which an agent writes down who is there and who has what, before it acts on it.
 *
 * <p>The truth is the journal {@code berth_state}. Kubernetes' {@code cpu_manager_state} and {@code
 * memory_manager_state} stand beside it. When a method returns, all of it is on the disk. That
 * takes, for a pod that is let in or leaves:
 *
 * <ul>
 *   <li>1 sync of the journal; no more for a pod that has nothing of its own;
 *   <li>1 of each checkpoint whose content changes, in a new file: 1, or 2 with the static memory
 *       policy;
 *   <li>1 of the folder, for all renames together: 3 or 4 in all.
 * </ul>
 *
 * <p>A refused pod, which has no effect, is written without a sync.
 *
 * <p>Where a method throws {@link IOException}, nothing has changed: the caller takes its decision
 * back and may try again at any time. What was begun is taken back at once, or where the disk does
 * not even allow that, by the next call. Only where the agent ends before may the next start find
 * the pod as let in.
 *
 * <p>For one thread, which must not be interrupted in here.
 */
public final class StateFolder implements AutoCloseable {
  /** What an agent starts from. */
  private static final List<String> BELIEVED =
      List.of(Journal.FILE, Checkpoints.CPU, Checkpoints.MEMORY, FormerLatencies.FILE);

  private static final String PROBE = "berth_probe";

  /** As much as a pod and the checkpoints may take. */
  private static final int PROBE_BYTES = 64 << 10;

  private final Path folder;
  private final FolderLock lock;
  private final Disk disk;
  private final FolderFiles files;
  private final Recovered recovered;
  private final boolean late;
  private Map<String, String> aside;
  private Table table;
  private boolean begun;
  private boolean behind;

  private StateFolder(Path folder, FolderLock lock, Disk disk, boolean late, Recovery found) {
    this.folder = folder;
    this.lock = lock;
    this.disk = disk;
    this.late = late;
    files = new FolderFiles(disk);
    recovered = found.recovered();
    table = found.table();
    aside = found.aside();
  }

  /**
   * Takes a folder, makes it where there is none, and reads what is in it. Nothing is written
   * before {@link #settled}.
   *
   * @throws InvalidInputException where another process has it, others than its owner can write it,
   *     or a newer version wrote it
   * @throws IOException where it cannot be read or locked
   */
  public static StateFolder open(Path folder) throws IOException {
    return open(folder, Disk::new, false);
  }

  /**
   * The same for containers that are each on their own, known by {@code POD-UID/CONTAINER}; in
   * Kubernetes' files they are together in their pods.
   *
   * <p>Nothing is synced then. What is written outlives us, whatever ends us; only the end of the
   * machine may take it, which ends every container too, and their runtime creates them anew. And
   * as a runtime waits meanwhile, checkpoints are written when {@link #catchUp} is called.
   */
  public static StateFolder openApart(Path folder) throws IOException {
    return open(folder, path -> new Disk(path, false), true);
  }

  static StateFolder open(Path folder, Function<Path, Disk> disk) throws IOException {
    return open(folder, disk, false);
  }

  private static StateFolder open(Path folder, Function<Path, Disk> disk, boolean apart)
      throws IOException {
    make(folder);
    OwnFolder.expect("state folder", folder, BELIEVED);
    FolderLock lock = FolderLock.take(folder);
    try {
      return new StateFolder(folder, lock, disk.apply(folder), apart, Recovery.read(folder, apart));
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void make(Path folder) throws IOException {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      throw new InvalidInputException(folder + ": expected a folder, found something else", e);
    }
  }

  /**
   * Reads what is in a folder, whoever has it, and leaves it as it is.
   *
   * @throws InvalidInputException where a newer version wrote it
   * @throws IOException where it cannot be read
   */
  public static Recovered look(Path folder) throws IOException {
    return Recovery.read(folder, false).recovered();
  }

  /** Whether a folder is one of ours, rather than a kubelet's or none. */
  public static boolean isOurs(Path folder) {
    return Files.exists(folder.resolve(Journal.FILE));
  }

  /** What was in it when it was opened. */
  public Recovered recovered() {
    return recovered;
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** Who is there now, in the order of their coming. */
  public List<PodRecord> pods() {
    return table.pods();
  }

  /** Who has something now of whom nothing else is known. */
  public SortedMap<String, Holding> unknown() {
    return table.unknown();
  }

  /**
   * Begins: everybody who was recovered has what the node says, from now on. Once after {@link
   * #open}, and again whenever the node was replaced by another.
   *
   * <p>Files that were not as they should be are copied aside first. An unknown holder that the
   * node does not know is forgotten.
   *
   * @param bootId the kernel's id of this boot
   * @param now the node that decides from now on
   * @param displaced by uid, why a pod runs on the shared pool although it is owed CPUs of its own
   */
  public void settled(String bootId, Node now, Map<String, String> displaced) throws IOException {
    Table next = new Table();
    next.apply(
        new Entry.Header(
            JournalText.VERSION,
            bootId,
            now.configuration().cpuPolicy().kubernetesName(),
            List.copyOf(now.configuration().optionsOn())));
    SortedMap<String, Holding> holdings = Holding.all(now);
    for (String uid : table.unknown().keySet()) {
      if (holdings.containsKey(uid)) {
        next.apply(new Entry.Unknown(uid, holdings.get(uid)));
      }
    }
    for (PodRecord pod : table.pods()) {
      Optional<String> why = Optional.ofNullable(displaced.get(pod.uid()));
      Holding holding = holdings.getOrDefault(pod.uid(), Holding.NOTHING);
      next.apply(new Entry.Known(pod.with(holding).displacedBecause(why)));
    }
    keepAside();
    files.rewrite(next, Checkpoints.of(now));
    table = next;
    begun = true;
    behind = false;
  }

  private void keepAside() throws IOException {
    for (Map.Entry<String, String> name : aside.entrySet()) {
      disk.create(name.getValue(), Files.readAllBytes(disk.path(name.getKey())));
      disk.install(name.getValue());
    }
    aside = Map.of();
  }

  /** A pod was let in; the node has it already. */
  public void admitted(Pod pod, String spec, Node after) throws IOException {
    Holding holding = Holding.of(after, pod.uid());
    write(
        new Entry.Known(
            new PodRecord(pod, spec, holding, Optional.empty(), new Standing.Admitted())),
        after,
        true);
  }

  /** A pod was refused; it has nothing, and stays visible until it is removed. */
  public void refused(Pod pod, String spec, String reason) throws IOException {
    write(
        new Entry.Known(
            new PodRecord(
                pod, spec, Holding.NOTHING, Optional.empty(), new Standing.Refused(reason))),
        files::checkpoints,
        false);
  }

  /** A pod was told to stop. */
  public void stopping(String uid) throws IOException {
    require(uid);
    write(new Entry.Stopping(uid), files::checkpoints, true);
  }

  /**
   * A pod is over. It stays visible until it is removed.
   *
   * @param phase how it ended
   * @param exits exit codes, as the agent's own JSON
   * @param after the node, as a rule without the pod
   */
  public void ended(String uid, String phase, String exits, Node after) throws IOException {
    require(uid);
    write(
        new Entry.Ended(uid, new Standing.Ended(phase, exits), Holding.of(after, uid)),
        after,
        true);
  }

  /** A pod or an unknown holder is gone; the node does not have it any more. */
  public void removed(String uid, Node after) throws IOException {
    require(uid);
    boolean nothing =
        table.pod(uid).filter(pod -> pod.standing() instanceof Standing.Refused).isPresent();
    write(new Entry.Removed(uid), after, !nothing);
  }

  private void require(String uid) {
    if (!table.knows(uid)) {
      throw new IllegalArgumentException("no pod " + uid + " is written down");
    }
  }

  private void write(Entry entry, Node after, boolean durable) throws IOException {
    if (late && !files.isFull()) {
      write(entry, files::checkpoints, durable);
      behind = true;
    } else {
      write(entry, () -> Checkpoints.of(after), durable);
      behind = false;
    }
  }

  private void write(Entry entry, Supplier<SortedMap<String, String>> texts, boolean durable)
      throws IOException {
    if (!begun) {
      throw new IllegalStateException("settled comes before everything else");
    }
    files.write(entry, texts.get(), durable, table);
    table.apply(entry);
  }

  /** Whether checkpoints are behind the journal, and wait for {@link #catchUp}. */
  public boolean isBehind() {
    return behind;
  }

  /**
   * Brings checkpoints up to the journal, where they are behind.
   *
   * @throws IOException where that could not be; they are still behind then, and nothing is lost
   */
  public void catchUp(Node now) throws IOException {
    if (behind) {
      files.catchUp(Checkpoints.of(now));
      behind = false;
    }
  }

  /**
   * Whether something could be written down now, by writing something that nobody reads.
   *
   * @throws IOException where it could not
   */
  public void probe() throws IOException {
    disk.create(PROBE, new byte[PROBE_BYTES]);
    disk.delete(PROBE + Disk.NEW);
  }

  /** Lets go of the folder. */
  @Override
  public void close() throws IOException {
    try (lock) {
      files.close();
    }
  }
}
