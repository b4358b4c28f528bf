package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.state.FormerLatencies;
import dev.berth.cpu.CpuSet;
import dev.berth.linux.ResumeLatency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a tree of files in the kernel's place. */
class WakefulnessTest {
  @TempDir private Path folder;
  private final List<String> told = new ArrayList<>();
  private ResumeLatency kernel;
  private Wakefulness wakefulness;

  @BeforeEach
  void start() throws IOException {
    kernel = ResumeLatency.below(folder);
    for (int cpu = 0; cpu < 4; cpu++) {
      Files.createDirectories(kernel.file(cpu).getParent());
      write(cpu, "0\n");
    }
    driver("haltpoll");
    Files.createDirectories(folder.resolve("state"));
    startAgain("boot");
  }

  private void driver(String name) throws IOException {
    Path file = kernel.file(0).resolve("../../../cpuidle/current_driver").normalize();
    Files.createDirectories(file.getParent());
    Files.writeString(file, name + "\n");
  }

  /** As after a SIGKILL: nothing but the files is left. */
  private void startAgain(String bootId) {
    wakefulness =
        new Wakefulness(
            kernel,
            Optional.of(new FormerLatencies(folder.resolve("state"), bootId)),
            new Events(event -> told.add(event.kind() + " " + event.message())));
  }

  private void write(int cpu, String text) throws IOException {
    Files.writeString(kernel.file(cpu), text);
  }

  private String value(int cpu) throws IOException {
    return kernel.read(cpu);
  }

  private Path file() {
    return folder.resolve("state").resolve(FormerLatencies.FILE);
  }

  @Test
  void keepsCpusAwakeAndGivesBackWhatTheyHad() throws IOException {
    write(2, "20");
    wakefulness.keep(CpuSet.of(1, 2));
    assertThat(List.of(value(0), value(1), value(2), value(3)))
        .containsExactly("0", "n/a", "n/a", "0");
    assertThat(file()).hasContent("{\"boot\":\"boot\",\"cpus\":{\"1\":\"0\",\"2\":\"20\"}}");
    wakefulness.keep(CpuSet.of(2, 3));
    assertThat(List.of(value(0), value(1), value(2), value(3)))
        .containsExactly("0", "0", "n/a", "n/a");
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(List.of(value(0), value(1), value(2), value(3)))
        .containsExactly("0", "0", "20", "0");
    assertThat(file()).doesNotExist();
    assertThat(told).isEmpty();
  }

  @Test
  void oneThatWasKilledLeavesNothingThatTheNextDoesNotGiveBack() throws IOException {
    wakefulness.keep(CpuSet.of(1, 2));
    startAgain("boot");
    wakefulness.keep(CpuSet.of(2));
    assertThat(List.of(value(1), value(2))).containsExactly("0", "n/a");
    startAgain("boot");
    assertThat(wakefulness.check(CpuSet.EMPTY)).isZero();
    assertThat(value(2)).isEqualTo("0");
    assertThat(file()).doesNotExist();
  }

  @Test
  void whatWasWrittenBeforeTheMachinesStartIsVoid() throws IOException {
    write(1, "20");
    wakefulness.keep(CpuSet.of(1));
    write(1, "n/a");
    startAgain("another boot");
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(value(1)).as("it is somebody else's").isEqualTo("n/a");
  }

  @Test
  void repairsWhatOthersChangedOnlyWhereItLooks() throws IOException {
    wakefulness.keep(CpuSet.of(1, 2));
    write(1, "30");
    wakefulness.keep(CpuSet.of(1, 2));
    assertThat(value(1)).isEqualTo("30");
    assertThat(wakefulness.check(CpuSet.of(1, 2))).isEqualTo(1);
    assertThat(value(1)).isEqualTo("n/a");
    assertThat(wakefulness.check(CpuSet.of(1, 2))).isZero();
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(value(1)).as("what another wrote last").isEqualTo("30");
  }

  @Test
  void saysOnceWhereTheKernelHasNoSuchFile() throws IOException {
    Files.delete(kernel.file(1));
    Files.delete(kernel.file(2));
    for (int i = 0; i < 3; i++) {
      wakefulness.keep(CpuSet.of(1, 2, 3));
      wakefulness.check(CpuSet.of(1, 2, 3));
    }
    assertThat(value(3)).isEqualTo("n/a");
    assertThat(told)
        .containsExactly(
            "warning CPUs 1-2 cannot be kept awake: "
                + kernel.file(1)
                + ": expected the kernel to have it, found none");
    assertThat(wakefulness.caution()).startsWith("CPUs 1-2 cannot be kept awake").hasLineCount(1);
    assertThat(wakefulness.holds(CpuSet.of(1))).isFalse();
    assertThat(wakefulness.holds(CpuSet.of(3))).isTrue();
    wakefulness.keep(CpuSet.of(3));
    assertThat(wakefulness.caution()).isEmpty();
    write(2, "0");
    wakefulness.keep(CpuSet.of(2, 3));
    assertThat(value(2)).as("it has come").isEqualTo("n/a");
  }

  @Test
  void aFileThatTheKernelDoesNotHeedKeepsNobodyAwake() throws IOException {
    driver("none");
    wakefulness.keep(CpuSet.of(1));
    assertThat(value(1)).isEqualTo("0");
    assertThat(wakefulness.holds(CpuSet.of(1))).isFalse();
    assertThat(told)
        .singleElement()
        .asString()
        .endsWith("expected a driver of idle CPUs, found none");
    driver("haltpoll");
    wakefulness.check(CpuSet.of(1));
    assertThat(value(1)).isEqualTo("n/a");
  }

  @Test
  void theSameReasonIsToldOnceForAllCpusAndAgainWhenItIsBack() throws IOException {
    Files.delete(kernel.file(1));
    Files.delete(kernel.file(2));
    wakefulness.keep(CpuSet.of(1));
    wakefulness.keep(CpuSet.of(1, 2));
    wakefulness.keep(CpuSet.of(2));
    assertThat(told).hasSize(1);
    write(2, "0");
    wakefulness.check(CpuSet.of(2));
    Files.delete(kernel.file(2));
    wakefulness.check(CpuSet.of(2));
    assertThat(told).hasSize(2);
  }

  @Test
  void oneThatCannotBeReadNowIsGivenBackLater() throws IOException {
    wakefulness.keep(CpuSet.of(1));
    Files.delete(kernel.file(1));
    Files.createDirectory(kernel.file(1));
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(wakefulness.caution()).startsWith("CPU 1 cannot be put back as before: ");
    Files.delete(kernel.file(1));
    write(1, "n/a");
    wakefulness.check(CpuSet.EMPTY);
    assertThat(value(1)).isEqualTo("0");
    assertThat(wakefulness.caution()).isEmpty();
    assertThat(file()).doesNotExist();
  }

  @Test
  void oneThatIsAwakeWhereItsFormerValueWasLostGetsThatOfAMachinesStart() throws IOException {
    wakefulness.keep(CpuSet.of(1));
    Files.writeString(file(), "{}");
    startAgain("boot");
    wakefulness.keep(CpuSet.of(1));
    assertThat(file()).hasContent("{\"boot\":\"boot\",\"cpus\":{\"1\":\"0\"}}");
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(value(1)).isEqualTo("0");
  }

  @Test
  void aCpuThatGoesAndComesBackIsWokenAgain() throws IOException {
    wakefulness.keep(CpuSet.of(1));
    Files.delete(kernel.file(1));
    wakefulness.check(CpuSet.of(1));
    assertThat(wakefulness.caution()).startsWith("CPU 1 cannot be kept awake: ");
    write(1, "0");
    wakefulness.check(CpuSet.of(1));
    assertThat(value(1)).isEqualTo("n/a");
    assertThat(wakefulness.caution()).isEmpty();
    Files.delete(kernel.file(1));
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(file()).doesNotExist();
  }

  @Test
  void changesNothingThatItCouldNotWriteDown() throws IOException {
    Files.delete(folder.resolve("state"));
    wakefulness.keep(CpuSet.of(1));
    assertThat(value(1)).isEqualTo("0");
    assertThat(told).singleElement().asString().contains("the state folder cannot be written");
    Files.createDirectories(folder.resolve("state"));
    wakefulness.keep(CpuSet.of(1));
    assertThat(value(1)).isEqualTo("n/a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"boot\":\"boot\",\"cpus\":{\"x\":\"0\"}}",
        "{\"boot\":\"boot\",\"cpus\":{\"1\":\"rm -rf\"}}",
        "{\"boot\":\"boot\",\"cpus\":[]}",
      })
  void saysSoWhereItsFileIsGarbledAndGoesOn(String text) throws IOException {
    Files.writeString(file(), text);
    startAgain("boot");
    assertThat(told).singleElement().asString().startsWith("failed " + file()).hasLineCount(1);
    wakefulness.keep(CpuSet.of(1));
    wakefulness.keep(CpuSet.EMPTY);
    assertThat(value(1)).isEqualTo("0");
  }

  @Test
  void onesThatPretendTouchNothing() throws IOException {
    Wakefulness pretended =
        new Wakefulness(kernel, Optional.empty(), new Events(event -> told.add(event.message())));
    pretended.keep(CpuSet.of(1, 9));
    assertThat(pretended.check(CpuSet.of(1, 9))).isZero();
    assertThat(value(1)).isEqualTo("0");
    assertThat(told).isEmpty();
    assertThat(pretended.holds(CpuSet.of(1))).isTrue();
  }
}
