package dev.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workload.QosClass;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GroupNameTest {
  private static final Pattern KUBEPODS = Pattern.compile("(^|[/-])kubepods([/.-]|$)");
  private static final Pattern BURSTABLE = Pattern.compile("[/-]burstable([/.-]|$)");
  private static final Pattern BEST_EFFORT = Pattern.compile("[/-]besteffort([/.-]|$)");
  private static final List<String> PARTS =
      List.of("/", "-", ".", "kubepods", "burstable", "besteffort", "pod1", "slice", "s", "k");

  @Test
  void tellsTheClassOfBothKindsOfNames() {
    assertThat(GroupName.qos("/kubepods/burstable/pod1")).contains(QosClass.BURSTABLE);
    assertThat(GroupName.qos("/kubepods/pod1")).contains(QosClass.GUARANTEED);
    assertThat(GroupName.qos("kubepods-besteffort-pod1.slice")).contains(QosClass.BEST_EFFORT);
    assertThat(GroupName.qos("/system.slice/burstable")).isEmpty();
    assertThat(GroupName.qos("")).isEmpty();
  }

  @Test
  void saysWhatRegularExpressionsSay() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder name = new StringBuilder();
      for (int n = random.nextInt(8); n > 0; n--) {
        name.append(PARTS.get(random.nextInt(PARTS.size())));
      }
      assertThat(GroupName.qos(name.toString()))
          .as("%s, seed %d", name, seed)
          .isEqualTo(expected(name.toString()));
    }
  }

  private static Optional<QosClass> expected(String name) {
    if (!KUBEPODS.matcher(name).find()) {
      return Optional.empty();
    }
    if (BEST_EFFORT.matcher(name).find()) {
      return Optional.of(QosClass.BEST_EFFORT);
    }
    return Optional.of(BURSTABLE.matcher(name).find() ? QosClass.BURSTABLE : QosClass.GUARANTEED);
  }
}
