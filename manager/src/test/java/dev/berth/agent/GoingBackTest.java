package dev.berth.agent;

import static dev.berth.agent.RealAgent.allowed;
import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.linux.ProcessId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From a newer Berth back to an older one with pods running, as docs/production.md has it: the
 * older refuses the newer's journal, and goes on from the checkpoints once that is put aside.
 */
@Tag("slow")
class GoingBackTest {
  @TempDir private Path folder;

  /** As a Berth to come would write it: the same lines below a header of the next version. */
  private static void writeAsNewer(Path journal) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(journal)) {
      String json = line.substring(9).replace("{\"version\":1,", "{\"version\":2,");
      CRC32C crc = new CRC32C();
      crc.update(json.getBytes(StandardCharsets.UTF_8));
      text.append(HexFormat.of().toHexDigits(crc.getValue(), 8))
          .append(' ')
          .append(json)
          .append('\n');
    }
    Files.writeString(journal, text);
  }

  private static Map<String, String> files(Path state) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(state)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        // The lock names whoever had it last.
        if (!file.endsWith("lock")) {
          files.put(String.valueOf(file.getFileName()), Files.readString(file));
        }
      }
    }
    return files;
  }

  @Test
  void anOlderBerthRefusesANewerJournalAndGoesOnFromTheCheckpoints() throws Exception {
    try (RealAgent agent = RealAgent.start(folder)) {
      agent.apply(pod("db", guaranteed(1), "sleep", "1000"));
      ProcessId db = ProcessId.of(agent.pidOf("db")).orElseThrow();
      agent.end();
      Path journal = agent.state().resolve("berth_state");
      writeAsNewer(journal);
      Map<String, String> before = files(agent.state());

      agent.begin();
      await("the older one to end", () -> ProcessHandle.of(agent.pid()).isEmpty());
      assertThat(Files.readString(agent.log()))
          .contains(
              "expected a journal of version 1, found one of 2: a newer Berth wrote it, and nothing"
                  + " was touched");
      assertThat(files(agent.state())).isEqualTo(before);
      assertThat(allowed(db.pid())).isEqualTo(CpuSet.of(1));

      Files.move(journal, agent.state().resolve("berth_state.newer"));
      agent.startAgain();
      assertThat(agent.ask("GET", "/pods", "")).contains("default_db");
      assertThat(db.isAlive()).isTrue();
      assertThat(allowed(db.pid())).isEqualTo(CpuSet.of(1));
      assertThat(agent.apply(pod("late", guaranteed(1), "sleep", "1000")).get(0).path("outcome"))
          .hasToString("\"refused\"");

      // Once its process has ended, what it had is free again.
      ProcessHandle.of(db.pid()).ifPresent(ProcessHandle::destroyForcibly);
      await("its end", () -> !db.isAlive());
      agent.remove("default_db");
      agent.remove("late");
      agent.apply(pod("late", guaranteed(1), "sleep", "1000"));
      assertThat(allowed(agent.pidOf("late"))).isEqualTo(CpuSet.of(1));
    }
  }
}
