package dev.berth.agent.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.state.Story.Step;
import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Holding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not as they should be: understood, or named and kept aside. */
class RecoveryTest {
  @TempDir Path temporary;

  private Path folder = Path.of("");
  private SortedMap<String, Holding> holdings = new TreeMap<>();

  /** Pod one has 2 CPUs, two has 3, and shared none. */
  @BeforeEach
  void fill() throws IOException {
    folder = temporary.resolve("berth");
    try (StateFolder state = StateFolder.open(folder)) {
      Story story = new Story(state);
      for (Step step :
          List.of(Step.SETTLE, Step.ADMIT_ONE, Step.ADMIT_SHARED, Step.ADMIT_TWO, Step.REFUSE)) {
        story.happen(step);
      }
      holdings = story.holdings();
    }
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private List<String> lines() throws IOException {
    return new ArrayList<>(Files.readAllLines(file(Journal.FILE)));
  }

  private void write(List<String> lines) throws IOException {
    Files.write(file(Journal.FILE), lines);
  }

  private Recovered look() throws IOException {
    return StateFolder.look(folder);
  }

  private Recovered settle() throws IOException {
    try (StateFolder state = StateFolder.open(folder)) {
      new Story(state).happen(Step.SETTLE);
      return state.recovered();
    }
  }

  @Test
  void aTornLastLineHadNoEffect() throws IOException {
    String torn = Files.readString(file(Journal.FILE)) + "0123abcd {\"pod\":";
    Files.writeString(file(Journal.FILE), torn);
    assertThat(look().why())
        .containsExactly(
            "state: 4 pods kept from berth_state, checkpoints agree, a torn last line, which had no"
                + " effect, is dropped");
    assertThat(settle().holdings()).isEqualTo(holdings);
    assertThat(look().why())
        .containsExactly("state: 4 pods kept from berth_state, checkpoints agree");
  }

  /** The line that let a pod in is gone; its CPUs are still given, to somebody unknown. */
  @Test
  void whoeverADamagedLineNamedKeepsTheirCpus() throws IOException {
    List<String> lines = lines();
    lines.set(1, lines.get(1).replace("guaranteed", "x").replace("one", "eno"));
    write(lines);
    String before = Files.readString(file(Journal.FILE));
    Recovered found = settle();
    assertThat(found.unknown()).containsOnlyKeys("one");
    assertThat(found.holdings()).isEqualTo(holdings);
    assertThat(found.pods()).extracting(PodRecord::uid).containsExactly("shared", "two", "large");
    assertThat(found.why().getFirst())
        .isEqualTo(
            "state: 3 pods and 1 unknown holder kept from berth_state, who has what is from"
                + " checkpoints where they tell");
    assertThat(found.why().get(1))
        .matches(
            "state: berth_state line 2: expected checksum [0-9a-f]{8}, found another: kept aside as"
                + " berth_state.aside-1");
    assertThat(Files.readString(file("berth_state.aside-1"))).isEqualTo(before);
    assertThat(look().why())
        .containsExactly(
            "state: 3 pods and 1 unknown holder kept from berth_state, checkpoints agree");
    assertThat(look().unknown()).isEqualTo(found.unknown());
  }

  /** Whatever byte of the journal changes, who has what stays. */
  @Test
  void noSingleByteOfTheJournalCanChangeWhoHasWhat() throws IOException {
    byte[] journal = Files.readAllBytes(file(Journal.FILE));
    for (int at = 0; at < journal.length; at++) {
      byte[] changed = journal.clone();
      changed[at] ^= 1;
      Files.write(file(Journal.FILE), changed);
      Recovered found = look();
      assertThat(found.holdings()).as("byte %d", at).isEqualTo(holdings);
    }
  }

  @Test
  void withoutASoundCheckpointALaterLineCountsMore() throws IOException {
    List<String> lines = lines();
    String damaged = "00000000 {\"removed\":\"one\"}";
    Entry.Known two = (Entry.Known) EntryJson.read(lines.get(3).substring(9));
    PodRecord later = two.pod().with(holdings.getOrDefault("one", Holding.NOTHING).cpuPart());
    String line = new String(JournalText.write(new Entry.Known(later)), StandardCharsets.UTF_8);
    write(List.of(lines.get(0), lines.get(1), damaged, line.strip()));
    Files.writeString(file(Checkpoints.CPU), "{\"policyName\":");
    Files.delete(file(Checkpoints.MEMORY));
    Recovered found = look();
    assertThat(found.holdings().values()).filteredOn(held -> !held.allCpus().isEmpty()).hasSize(1);
    assertThat(found.why())
        .contains("state: pod one: its CPUs 1-2 are others' since: not kept")
        .first()
        .asString()
        .endsWith("who is named in damaged lines alone is not known");
  }

  @Test
  void aJournalThatIsNoneIsKeptAside() throws IOException {
    for (String text : List.of("", "hello\n", "00000000 {}\n", "\n\n\n")) {
      Files.writeString(file(Journal.FILE), text);
      Recovered found = look();
      assertThat(found.pods()).isEmpty();
      assertThat(found.unknown()).containsOnlyKeys("one", "two");
      assertThat(found.why().get(1)).startsWith("state: berth_state line 1: expected ");
    }
  }

  @Test
  void linesThatSaySomethingElseAreDamage() throws IOException {
    List<String> lines = lines();
    for (String json :
        List.of(
            "[]",
            "{\"other\":1}",
            "{\"pod\":{}}",
            "{\"stopping\":7}",
            "{\"unknown\":{\"uid\":\"u\",\"has\":{\"cpus\":{\"app\":\"x\"}}}}",
            "{\"unknown\":{\"uid\":\"u\",\"has\":{\"cpus\":[]}}}",
            "{\"berth\":{\"version\":1,\"boot\":\"\",\"policy\":\"\"}}",
            "{\"ended\":{\"uid\":\"one\",\"phase\":\"\",\"exits\":\"\"}}")) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      List<String> more = new ArrayList<>(lines);
      more.add("%08x %s".formatted(crc.getValue(), json));
      write(more);
      Recovered found = look();
      assertThat(found.why()).as(json).hasSize(2);
      assertThat(found.why().get(1)).as(json).matches("state: berth_state line 6: .*expected .*");
      assertThat(found.holdings()).isEqualTo(holdings);
    }
  }

  @Test
  void aNewerJournalIsRefusedAndNothingTouched() throws IOException {
    Entry header = new Entry.Header(2, "boot", "static", List.of());
    Files.write(file(Journal.FILE), JournalText.write(header));
    Map<String, String> before = Fixture.files(folder);
    assertThatThrownBy(() -> StateFolder.open(folder))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "%s: expected a journal of version 1, found one of 2: a newer Berth wrote it, and"
                + " nothing was touched",
            file(Journal.FILE));
    assertThat(Fixture.files(folder)).isEqualTo(before);
  }

  @Test
  void checkpointsAtFaultAreKeptAsideAndMadeAnew() throws IOException {
    String cpus = Files.readString(file(Checkpoints.CPU));
    String memory = Files.readString(file(Checkpoints.MEMORY));
    List<String> faults =
        List.of(
            cpus.substring(0, 20),
            cpus.replace("1-2", "1-3"),
            "",
            "apiVersion: v1",
            "{\"policyName\":\"dynamic\",\"defaultCpuSet\":\"\",\"checksum\":0}",
            "\u0000\u0000\u0000");
    for (int i = 0; i < faults.size(); i++) {
      Files.writeString(file(Checkpoints.CPU), faults.get(i));
      Files.writeString(file(Checkpoints.MEMORY), memory.substring(i + 1));
      Recovered found = settle();
      assertThat(found.why()).hasSize(3);
      assertThat(found.why().get(0)).isEqualTo("state: 4 pods kept from berth_state");
      assertThat(found.why().get(1))
          .startsWith("state: cpu_manager_state ")
          .contains("expected ")
          .endsWith(": kept aside as cpu_manager_state.aside-" + (i + 1));
      assertThat(found.why().get(2)).startsWith("state: memory_manager_state expected ");
      assertThat(Files.readString(file("cpu_manager_state.aside-" + (i + 1))))
          .isEqualTo(faults.get(i));
      assertThat(found.holdings()).isEqualTo(holdings);
      assertThat(Files.readString(file(Checkpoints.CPU))).isEqualTo(cpus);
      assertThat(Files.readString(file(Checkpoints.MEMORY))).isEqualTo(memory);
    }
  }

  @Test
  void bytesThatAreNoTextAreNamed() throws IOException {
    Files.write(file(Checkpoints.CPU), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThat(look().why().get(1))
        .isEqualTo(
            "state: cpu_manager_state expected text in UTF-8, found other bytes: kept aside as"
                + " cpu_manager_state.aside-1");
  }

  @Test
  void absentCheckpointsAreMadeAnew() throws IOException {
    String cpus = Files.readString(file(Checkpoints.CPU));
    Files.delete(file(Checkpoints.CPU));
    assertThat(settle().why())
        .containsExactly(
            "state: 4 pods kept from berth_state, cpu_manager_state is absent and made anew");
    assertThat(Files.readString(file(Checkpoints.CPU))).isEqualTo(cpus);
  }

  @Test
  void aKubeletsOwnHoldersAreUnknownAndKeepWhatTheyHave() throws IOException {
    Files.delete(file(Journal.FILE));
    Recovered found = settle();
    assertThat(found.why())
        .containsExactly(
            "state: 2 unknown holders kept from checkpoints, no berth_state beside them");
    assertThat(found.bootId()).isEmpty();
    assertThat(found.unknown()).isEqualTo(holdings);
    assertThat(found.memory()).isPresent();
    assertThat(look().unknown()).isEqualTo(holdings);
    try (StateFolder state = StateFolder.open(folder)) {
      Story story = new Story(state);
      story.happen(Step.SETTLE);
      assertThat(state.unknown()).isEqualTo(holdings);
      story.happen(Step.REMOVE_ONE);
    }
    assertThat(look().unknown()).containsOnlyKeys("two");
  }

  /** Each container of the oldest format is a holder of its own. */
  @Test
  void theOldestFormatIsUnderstood() throws IOException {
    Files.delete(file(Journal.FILE));
    Files.delete(file(Checkpoints.MEMORY));
    Files.writeString(
        file(Checkpoints.CPU),
        "{\"policyName\":\"static\",\"defaultCpuSet\":\"0,4-7\",\"entries\":{\"abc\":\"1\","
            + "\"def\":\"2-3\"},\"checksum\":0}");
    Recovered found = settle();
    assertThat(found.unknown()).containsOnlyKeys("abc", "def");
    assertThat(found.unknown().get("def"))
        .extracting(Holding::allCpus)
        .isEqualTo(CpuSet.parse("2-3"));
    assertThat(look().unknown()).isEqualTo(found.unknown());
  }

  @Test
  void withoutJournalAndCheckpointNobodyIsKept() throws IOException {
    Files.delete(file(Journal.FILE));
    Files.delete(file(Checkpoints.MEMORY));
    Files.writeString(file(Checkpoints.CPU), "{");
    assertThat(settle().why().getFirst())
        .isEqualTo("state: who had what is not known, and nobody is kept");
    assertThat(Files.readString(file("cpu_manager_state.aside-1"))).isEqualTo("{");
  }
}
