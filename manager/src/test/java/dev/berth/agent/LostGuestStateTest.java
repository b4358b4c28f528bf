package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of a runtime stay on the CPUs on which they run, whatever becomes of the state. */
class LostGuestStateTest extends GuestHouse {
  private void delete(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
        for (Path entry : entries) {
          delete(entry);
        }
      }
    }
    Files.deleteIfExists(path);
  }

  /** The agent ends, its state is lost, the next one meets the same runtime. */
  private void loseState() throws Exception {
    runtime.leave();
    agent.close();
    delete(folder.resolve("state"));
    startAgent();
    runtime.meet();
  }

  private Map<String, CpuSet> owned() {
    Map<String, CpuSet> owned = new LinkedHashMap<>();
    for (Held held : runtime.all()) {
      if (held.isRunning() && held.quota() == -1) {
        owned.put(held.id(), held.cpus());
      }
    }
    return owned;
  }

  @Test
  void ownersStayWhereTheyAre() throws Exception {
    Held first = create("first", "guaranteed", "app", 4);
    create("second", "guaranteed", "app", 4);
    create("third", "guaranteed", "app", 2);
    create("web", "burstable", "app", 1);
    runtime.removePod(first.podUid());
    Map<String, CpuSet> before = owned();
    assertThat(before).hasSize(2);
    loseState();
    assertThat(owned()).isEqualTo(before);
    check("without state");
    Held late = create("late", "guaranteed", "app", 4);
    before.forEach((id, cpus) -> assertThat(late.cpus().intersects(cpus)).as(id).isFalse());
    assertThat(owned()).containsAllEntriesOf(before);
    check("with another");
  }

  /** What an older copy says of a container that has moved since does not count. */
  @Test
  void anOlderCopyOfTheStateMovesNobody() throws Exception {
    Held first = create("first", "guaranteed", "app", 4);
    create("second", "guaranteed", "app", 4);
    agent.close();
    runtime.leave();
    byte[] journal = Files.readAllBytes(folder.resolve("state/berth_state"));
    byte[] cpus = Files.readAllBytes(folder.resolve("state/cpu_manager_state"));
    startAgent();
    runtime.meet();
    runtime.removePod(first.podUid());
    create("third", "guaranteed", "app", 4);
    Map<String, CpuSet> before = owned();
    runtime.leave();
    agent.close();
    Files.write(folder.resolve("state/berth_state"), journal);
    Files.write(folder.resolve("state/cpu_manager_state"), cpus);
    startAgent();
    runtime.meet();
    assertThat(owned()).isEqualTo(before);
    check("with an older copy");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noOwnerMovesWhateverCameAndWentBefore(long seed) throws Exception {
    Random random = new Random(seed);
    int count = 0;
    for (int step = 0; step < 40; step++) {
      if (random.nextInt(3) > 0) {
        String qos = random.nextInt(3) > 0 ? "guaranteed" : "burstable";
        attempt("p" + count++, qos, "app", 1 + random.nextInt(3));
      } else if (!runtime.all().isEmpty()) {
        Held gone = runtime.all().get(random.nextInt(runtime.all().size()));
        runtime.removePod(gone.podUid());
      }
      if (random.nextInt(8) == 0) {
        RealAgent.await("all to be told", () -> agent.call(() -> owed().isEmpty()));
        Map<String, CpuSet> before = owned();
        loseState();
        assertThat(owned()).as("seed %d, step %d", seed, step).isEqualTo(before);
        check("seed " + seed + ", step " + step);
      }
    }
  }
}
