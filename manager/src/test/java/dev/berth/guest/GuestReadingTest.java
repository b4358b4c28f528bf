package dev.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Containers that run already, of which not everything can be understood. */
class GuestReadingTest {
  private static final String KEY = GuestRequest.ANNOTATION + "app";
  private static final SortedMap<String, Long> NO_PAGES = new TreeMap<>();

  private static GuestReading read(
      String name, SortedMap<String, String> annotations, SortedMap<String, Long> hugepages) {
    return GuestReading.of(
        (notes, pages) ->
            new GuestContainer(
                "u1",
                "default",
                "db",
                name,
                "c1",
                "s1",
                "/kubepods/podu1",
                notes,
                new Allowance(2_048, 200_000, 100_000, 64 << 20, pages)),
        annotations,
        hugepages);
  }

  private static SortedMap<String, String> annotated(String text) {
    return new TreeMap<>(Map.of(KEY, text));
  }

  private static int exclusive(GuestReading reading) {
    return reading.request().pod().exclusiveCpus(reading.request().pod().containers().getFirst());
  }

  @Test
  void whatCanBeUnderstoodIsReadAsBeforeACreation() {
    GuestReading reading = read("app", annotated("vendor.example/nic=1"), NO_PAGES);
    assertThat(reading.request()).isEqualTo(GuestRequest.of(reading.container()));
  }

  @Test
  void anAnnotationThatCannotBeUnderstoodCountsAsNone() {
    for (String text : new String[] {"nonsense", "x".repeat(5_000), "cpu=7"}) {
      GuestReading reading = read("app", annotated(text), NO_PAGES);
      assertThat(reading.container().annotations()).isEmpty();
      assertThat(exclusive(reading)).isEqualTo(2);
      assertThat(reading.request().unknown())
          .singleElement()
          .asString()
          .startsWith("annotation " + KEY + ": expected ")
          .endsWith("; it counts as one without annotation");
    }
  }

  @Test
  void aWordThatIsNeitherTrueNorFalseTakesNothingOfTheOtherAnnotation() {
    SortedMap<String, String> both = annotated("vendor.example/nic=1");
    both.put(CpuWish.AWAKE.annotation(), "yes");
    GuestReading reading = read("app", both, NO_PAGES);
    assertThat(reading.container().wishes()).isEmpty();
    assertThat(reading.container().annotations()).containsOnlyKeys(KEY);
    assertThat(reading.request().unknown())
        .containsExactly(
            "annotation cpus.berth.dev/awake: expected true or false, found \"yes\"; it counts as"
                + " false");
  }

  @Test
  void sizesOfPagesThatAreNoneCountAsNone() {
    GuestReading reading =
        read("app", annotated("nonsense"), new TreeMap<>(Map.of("odd", 1L, "2MB", 2L << 20)));
    assertThat(reading.container().allowance().hugepages()).isEmpty();
    assertThat(reading.request().unknown())
        .hasSize(2)
        .first()
        .isEqualTo(
            "huge pages: expected a size such as 2MB, found \"odd\"; it counts as one without huge"
                + " pages");
  }

  @Test
  void oneThatCannotBeToldFromAnotherIsNotRead() {
    assertThatThrownBy(() -> read("a/b", new TreeMap<>(), NO_PAGES))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("container name: ");
  }
}
