package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.testing.Regular;
import dev.berth.testing.Trial;
import dev.berth.topology.Machine;
import dev.berth.workload.Pod;
import org.junit.jupiter.api.Test;

/** strict-align-cpus-by-uncorecache: the strict form that KEP-4800 left for later. */
class StrictCacheTest {
  /** Four caches of 8 cores; 0-1 reserved. */
  private static final Machine MACHINE = Regular.machine(1, 1, 4, 8, 1);

  private static final Configuration STRICT =
      Configuration.staticPolicy(CpuSet.range(0, 1))
          .withOption("strict-align-cpus-by-uncorecache", "true");

  @Test
  void whileThereIsRoomItIsAsThePreference() {
    Configuration preferred =
        Configuration.staticPolicy(CpuSet.range(0, 1))
            .withOption("prefer-align-cpus-by-uncorecache", "true");
    assertThat(Trial.admit(MACHINE, STRICT, 10, 8, 6))
        .isEqualTo(Trial.admit(MACHINE, preferred, 10, 8, 6));
  }

  /** Four pods of 5 leave 10 CPUs, but no cache more than 3 of them. */
  @Test
  void refusesRatherThanSplits() {
    Node node = Node.start(MACHINE, STRICT);
    assertThat(Trial.admit(node, 5, 5, 5, 5)).containsExactly("2-6", "8-12", "16-20", "24-28");
    Assignments before = node.assignments();
    assertThat(node.assignable().size()).isEqualTo(10);
    assertThat(node.admit(Pod.guaranteed("late", 4)))
        .isInstanceOfSatisfying(
            Decision.Refused.class,
            refused -> {
              assertThat(refused.reason().kubernetesName()).isEqualTo("UncoreCacheAlignmentError");
              assertThat(refused.message())
                  .isEqualTo(
                      "Uncore Cache Alignment Error: requested 4 cpus would be split: the most that"
                          + " one cache has free = 3");
              assertThat(refused.why().lines())
                  .contains("refused: UncoreCacheAlignmentError: " + refused.message())
                  .contains("  fits with 3 CPUs instead of 4");
            });
    assertThat(node.assignments()).isEqualTo(before);
    assertThat(node.admit(Pod.guaranteed("small", 3))).isInstanceOf(Decision.Granted.class);
  }

  @Test
  void requestsBeyondOneCacheAreStillLetIn() {
    assertThat(Trial.admit(MACHINE, STRICT, 9, 9, 12))
        .as("none of them can be under one cache")
        .doesNotContain("UncoreCacheAlignmentError", "UnexpectedAdmissionError");
  }

  /** An odd request on two threads a core, which the preference would have split. */
  @Test
  void findsACacheThatThePreferenceWouldHaveMissed() {
    Machine machine = Regular.machine(1, 1, 2, 4, 2);
    Node node =
        Node.start(
            machine,
            Configuration.staticPolicy(CpuSet.parse("0-2,8-10"))
                .withOption("strict-align-cpus-by-uncorecache", "true"));
    assertThat(Trial.admit(node, 3, 3, 3))
        .containsExactly("4-5,12", "6,13-14", "UncoreCacheAlignmentError");
  }

  @Test
  void withOneCacheASocketItHasNoEffectAndThatIsSaid() {
    Machine machine = Regular.machine(2, 1, 1, 4, 2);
    Configuration plain = Configuration.staticPolicy(CpuSet.range(0, 1));
    assertThat(Trial.admit(machine, STRICT, 3, 3, 5, 2))
        .isEqualTo(Trial.admit(machine, plain, 3, 3, 5, 2));
    assertThat(Node.start(machine, STRICT).notes())
        .containsExactly(
            "strict-align-cpus-by-uncorecache has no effect on this machine: every socket has one"
                + " L3 cache");
  }

  /** CPUs 8 and 1 are beside reserved ones: with whole cores only, they are nobody's. */
  @Test
  void wholeCoresStayWhole() {
    Machine machine = Regular.machine(1, 1, 2, 4, 2);
    Configuration whole =
        Configuration.staticPolicy(CpuSet.of(0, 9))
            .withOption("strict-align-cpus-by-uncorecache", "true")
            .withOption("full-pcpus-only", "true");
    assertThat(Trial.admit(machine, whole, 6, 6, 4))
        .containsExactly("4-6,12-14", "UncoreCacheAlignmentError", "2-3,10-11");
  }
}
