package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Figures.Size;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent has of the machine after a lot of pods is what it had before. */
@Tag("long")
class AgentGrowthTest {
  private static final int ADMISSIONS =
      Admissions.A_SECOND * Integer.getInteger("berth.seconds", 60);

  /** The journal, and what the JVM waits with, are opened when they are first needed. */
  private static final int LAZY_DESCRIPTORS = 6;

  private static final int LAZY_THREADS = 4;
  private static final long LARGEST_KILOBYTES = 130_000;

  @TempDir private Path folder;

  @Test
  void quietPassesWriteNothingAndAHundredPodsLeaveNothingBehind() throws Exception {
    try (RealAgent agent = Crowd.agent(folder)) {
      Crowd.warmUp(agent);
      Size before = Size.of(agent);
      Crowd.comes(agent);
      assertThat(Crowd.quietPasses(agent, 20)).hasSize(20);
      Crowd.leaves(agent);
      RealAgent.await(
          "their processes to be gone", () -> Size.of(agent).processes() == before.processes());
      assertNoLarger(before, Size.of(agent));
    }
  }

  @Test
  void aMinuteOfFiftyAdmissionsASecondAdmitsAllAndLeavesNothingBehind() throws Exception {
    try (RealAgent agent = Admissions.agent(folder)) {
      Admissions.warmUp(agent);
      Size before = Size.of(agent);
      assertThat(Admissions.of(agent, ADMISSIONS)).hasSize(ADMISSIONS);
      assertNoLarger(before, Size.of(agent));
    }
  }

  private static void assertNoLarger(Size before, Size after) {
    System.out.println("before " + before + ", after " + after);
    assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + LAZY_DESCRIPTORS);
    assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + LAZY_THREADS);
    assertThat(after.residentKilobytes()).isLessThan(LARGEST_KILOBYTES);
  }
}
