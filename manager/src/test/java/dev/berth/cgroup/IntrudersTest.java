package dev.berth.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who is named of a pretended machine: folders of files in the place of {@code /proc} and cpusets.
 */
class IntrudersTest {
  private static final CpuSet ONE = CpuSet.of(1);
  private static final long FIXED = 9;

  @TempDir private Path folder = Path.of("");
  private Path top = Path.of("");
  private Bystanders bystanders = new Bystanders(folder, top, "own", thread -> false);

  @BeforeEach
  void makeTop() throws IOException {
    top = folder.resolve("cpuset");
    group("", "0-1", "");
    bystanders = new Bystanders(folder.resolve("proc"), top, "own", thread -> thread == FIXED);
  }

  private void group(String name, String cpus, String tasks) throws IOException {
    Path made = Files.createDirectories(top.resolve(name));
    Files.writeString(made.resolve("cpuset.cpus"), cpus + "\n");
    Files.writeString(made.resolve("tasks"), tasks);
  }

  /** A thread that is bound to CPU 1. */
  private Path thread(long number) throws IOException {
    Path made = Files.createDirectories(folder.resolve("proc/" + number));
    Files.writeString(made.resolve("status"), "Name:\tstray\nCpus_allowed_list:\t1\n");
    Files.writeString(made.resolve("comm"), "stray\n");
    return made;
  }

  @Test
  void aThreadThatEndsWhileItIsLookedAtHidesNoOther() throws IOException {
    group("", "0-1", "7\n8\n");
    Files.delete(thread(7).resolve("comm"));
    thread(8);
    assertThat(bystanders.intruders(ONE, true)).containsExactly("thread 8 (stray)");
  }

  @Test
  void aThreadThatEndsHidesNoGroup() throws IOException {
    group("", "0-1", "7\n");
    Files.delete(thread(7).resolve("comm"));
    group("far", "1", "12\n");
    assertThat(bystanders.intruders(ONE, true)).containsExactly("group far");
  }

  @Test
  void whoCannotBeMovedIsNotNamed() throws IOException {
    group("", "0-1", "1\n9\n");
    thread(1);
    thread(FIXED);
    assertThat(bystanders.intruders(ONE, true)).isEmpty();
  }

  @Test
  void aGroupWithoutCpusHidesNoOther() throws IOException {
    for (String name : List.of("a", "b", "y", "z")) {
      Files.createDirectories(top.resolve(name));
    }
    group("m", "0-1", "12\n");
    group("own/pod", "1", "13\n");
    assertThat(bystanders.intruders(ONE, true)).containsExactly("group m");
  }

  /** Also in the middle of the walk over all of them. */
  @Test
  void groupsThatComeAndGoHideNoOther() throws Exception {
    group("m", "1", "12\n");
    AtomicBoolean over = new AtomicBoolean();
    Thread others =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                comeAndGo();
              }
            });
    try {
      for (int look = 0; look < 2_000; look++) {
        assertThat(bystanders.intruders(ONE, true)).containsExactly("group m");
      }
    } finally {
      over.set(true);
      others.join();
    }
  }

  private void comeAndGo() {
    List<File> brief =
        IntStream.range(0, 20).mapToObj(i -> top.resolve("brief" + i).toFile()).toList();
    brief.forEach(group -> assertThat(group.mkdir()).isTrue());
    brief.forEach(group -> assertThat(group.delete()).isTrue());
  }

  @Test
  void whereNobodyCanBeAskedForItIsNotClaimedThatNobodyIsThere() throws IOException {
    Files.delete(top.resolve("tasks"));
    assertThatThrownBy(() -> bystanders.intruders(ONE, true)).isInstanceOf(IOException.class);
  }
}
