package dev.berth.agent.state;

import dev.berth.cpu.CpuSet;
import dev.berth.ledger.Holding;
import dev.berth.ledger.MemoryAssignments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Reads a state folder and settles what can be trusted of it. Writes nothing.
 *
 * <p>A journal without fault is the truth, and checkpoints that say something else are to be kept
 * aside. Without a journal, checkpoints are: their holders are unknown but keep what they have.
 * Where lines of the journal are damaged, the others tell who is there, and sound checkpoints who
 * has what; only where there is none, a later line counts more than an earlier one.
 */
final class Recovery {
  private final Path folder;
  private final Table table = new Table();
  private final SortedMap<String, String> aside = new TreeMap<>();
  private final List<String> facts = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final FoundCheckpoint cpus;
  private final FoundCheckpoint memory;

  /** How many changes a checkpoint may be behind: one, unless they are written later. */
  private final int most;

  private Recovery(Path folder, Optional<JournalText> journal, boolean wantedApart)
      throws IOException {
    this.folder = folder;
    journal.ifPresent(text -> text.entries().forEach(table::apply));
    boolean apart = wantedApart || table.isApart();
    most = apart ? Table.REMEMBERED : 1;
    if (wantedApart) {
      table.splitUnknown();
    }
    FoundCheckpoint ofCpus = FoundCheckpoint.cpus(folder);
    FoundCheckpoint ofMemory = FoundCheckpoint.memory(folder);
    cpus = apart ? ofCpus.apart() : ofCpus;
    memory = apart ? ofMemory.apart() : ofMemory;
  }

  /**
   * Reads a folder.
   *
   * @param apart whether every container is on its own, also where a file has it in its pod
   */
  static Recovery read(Path folder, boolean apart) throws IOException {
    Path file = folder.resolve(Journal.FILE);
    Optional<JournalText> journal =
        Files.exists(file)
            ? Optional.of(JournalText.read(file.toString(), Files.readAllBytes(file)))
            : Optional.empty();
    Recovery recovery = new Recovery(folder, journal, apart);
    journal.ifPresentOrElse(recovery::fromJournal, recovery::fromCheckpoints);
    return recovery;
  }

  Table table() {
    return table;
  }

  /** The files to be kept aside, and the names that they are to have there. */
  Map<String, String> aside() {
    return Collections.unmodifiableMap(aside);
  }

  Recovered recovered() {
    List<String> why = new ArrayList<>();
    why.add("state: " + String.join(", ", facts));
    faults.forEach(fault -> why.add("state: " + fault));
    boolean agreed = memory.isSound() && !aside.containsKey(Checkpoints.MEMORY);
    Optional<MemoryAssignments> accounts =
        agreed && memory.holdings().equals(parts(table.holdings(), Holding::memoryPart))
            ? memory.accounts()
            : Optional.empty();
    return new Recovered(
        table.pods(),
        table.unknown(),
        table.found(),
        table.header().map(Entry.Header::bootId),
        table.header().map(Entry.Header::policy),
        table.header().map(header -> Set.copyOf(header.options())).orElse(Set.of()),
        accounts,
        why);
  }

  private void fromCheckpoints() {
    for (FoundCheckpoint file : List.of(cpus, memory)) {
      file.fault().ifPresent(fault -> keepAside(file.name(), fault));
    }
    SortedMap<String, Holding> holders = new TreeMap<>(cpus.holdings());
    memory.holdings().forEach((uid, own) -> holders.merge(uid, own, Recovery::cpusAndMemory));
    holders.forEach((uid, held) -> table.apply(new Entry.Unknown(uid, held, false)));
    if (!cpus.isSound() && !memory.isSound()) {
      facts.add(
          faults.isEmpty() ? "nothing before" : "who had what is not known, and nobody is kept");
    } else {
      facts.add(counted(holders.size(), "unknown holder") + " kept from checkpoints");
      facts.add("no " + Journal.FILE + " beside them");
    }
  }

  private static Holding cpusAndMemory(Holding ofCpus, Holding ofMemory) {
    return Holding.of(ofCpus, ofMemory, Holding.NOTHING);
  }

  private void fromJournal(JournalText journal) {
    List<String> damage = new ArrayList<>(journal.damage());
    if (journal.torn() && damage.isEmpty() && (isAhead(cpus) || isAhead(memory))) {
      damage.add("last line: expected its end, found none, though a checkpoint has its effect");
    }
    if (damage.isEmpty()) {
      compare(cpus);
      compare(memory);
      told(faults.isEmpty() && facts.isEmpty() ? "checkpoints agree" : "");
      if (journal.torn()) {
        facts.add("a torn last line, which had no effect, is dropped");
      }
      return;
    }
    keepAside(Journal.FILE, damage.getFirst());
    damage.stream().skip(1).forEach(line -> faults.add(Journal.FILE + " " + line));
    for (FoundCheckpoint file : List.of(cpus, memory)) {
      file.fault().ifPresent(fault -> keepAside(file.name(), fault));
    }
    trustCheckpoints();
    told(
        cpus.isSound()
            ? "who has what is from checkpoints where they tell"
            : "who is named in damaged lines alone is not known");
  }

  /** Puts the main fact before the others. */
  private void told(String agreement) {
    int unknown = table.unknown().size();
    facts.addFirst(
        counted(table.pods().size(), "pod")
            + (unknown == 0 ? "" : " and " + counted(unknown, "unknown holder"))
            + " kept from "
            + Journal.FILE);
    if (!agreement.isEmpty()) {
      facts.add(agreement);
    }
  }

  private static String counted(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** Compares a checkpoint with the journal, which is right whatever comes out. */
  private void compare(FoundCheckpoint file) {
    if (file.fault().isPresent()) {
      keepAside(file.name(), file.fault().get());
    } else if (!file.isSound()) {
      if (!parts(table.holdings(), file.part()).isEmpty()) {
        facts.add(file.name() + " is absent and made anew");
      }
    } else if (isBehind(file)) {
      facts.add(file.name() + " was behind and is brought up");
    } else if (!agrees(file)) {
      keepAside(file.name(), "expected what " + Journal.FILE + " says, found something else");
    }
  }

  private boolean agrees(FoundCheckpoint file) {
    return file.holdings().equals(parts(table.holdings(), file.part()));
  }

  /** A crash between the writing of the journal and of the checkpoint leaves this. */
  private boolean isBehind(FoundCheckpoint file) {
    return !agrees(file) && stepsBehind(file) > 0;
  }

  /** How many changes ago everybody had what a file says; 0 where nobody remembers that. */
  private int stepsBehind(FoundCheckpoint file) {
    SortedMap<String, Holding> then = table.holdings();
    int steps = 0;
    for (Table.Change change : table.changes().subList(0, Math.min(most, table.changes().size()))) {
      steps++;
      then.put(change.uid(), change.before());
      if (file.holdings().equals(parts(then, file.part()))) {
        return steps;
      }
    }
    return 0;
  }

  private boolean isAhead(FoundCheckpoint file) {
    return file.isSound() && !agrees(file) && !isBehind(file);
  }

  private static SortedMap<String, Holding> parts(
      SortedMap<String, Holding> holdings, UnaryOperator<Holding> part) {
    SortedMap<String, Holding> parts = new TreeMap<>();
    holdings.forEach((uid, held) -> {
      if (!part.apply(held).isEmpty()) {
        parts.put(uid, part.apply(held));
      }
    });
    return parts;
  }

  /** The next free name beside a file for what it held. */
  static String asideName(Path folder, String name) {
    int number = 1;
    while (Files.exists(folder.resolve(name + ".aside-" + number))) {
      number++;
    }
    return name + ".aside-" + number;
  }

  private void keepAside(String name, String fault) {
    String to = asideName(folder, name);
    aside.put(name, to);
    faults.add(name + " " + fault + ": kept aside as " + to);
  }

  /** Gives everybody what sound checkpoints say; the lines that are left tell the rest. */
  private void trustCheckpoints() {
    SortedMap<String, Holding> told = table.holdings();
    SortedMap<String, Holding> ofCpus = trustedCpus(told);
    SortedMap<String, Holding> ofMemory = new TreeMap<>(told);
    ofMemory.putAll(memory.holdings());
    SortedMap<String, Holding> all = new TreeMap<>(told);
    all.putAll(ofCpus);
    all.putAll(ofMemory);
    for (String uid : all.keySet()) {
      Holding held =
          Holding.of(
              ofCpus.getOrDefault(uid, Holding.NOTHING),
              ofMemory.getOrDefault(uid, Holding.NOTHING),
              told.getOrDefault(uid, Holding.NOTHING));
      table
          .pod(uid)
          .ifPresentOrElse(
              pod -> table.replace(pod.with(held)),
              () -> table.apply(new Entry.Unknown(uid, held, table.found().contains(uid))));
    }
  }

  /** The checkpoint's holders, then others by the journal as far as their CPUs are nobody's. */
  private SortedMap<String, Holding> trustedCpus(SortedMap<String, Holding> told) {
    SortedMap<String, Holding> trusted = new TreeMap<>(cpus.holdings());
    CpuSet taken = CpuSet.EMPTY;
    for (Holding held : trusted.values()) {
      taken = taken.union(held.allCpus());
    }
    List<String> latestFirst = new ArrayList<>(table.unknown().keySet());
    table.pods().forEach(pod -> latestFirst.add(pod.uid()));
    for (String uid : latestFirst.reversed()) {
      Holding held = told.getOrDefault(uid, Holding.NOTHING).cpuPart();
      if (trusted.containsKey(uid) || held.isEmpty()) {
        continue;
      }
      if (held.allCpus().intersects(taken)) {
        faults.add("pod " + uid + ": its CPUs " + held.allCpus() + " are others' since: not kept");
      } else {
        trusted.put(uid, held);
        taken = taken.union(held.allCpus());
      }
    }
    return trusted;
  }
}
