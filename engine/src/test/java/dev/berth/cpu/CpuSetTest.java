package dev.berth.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
  /** Sizes around the words' borders, and beyond what most machines have. */
  private static final int[] LIMITS = {1, 63, 64, 65, 128, 200, 1000};

  private static final int ROUNDS = 3000;

  @Test
  void agreesWithBitSetOnRandomSets() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      BitSet a = random(random);
      BitSet b = random(random);
      String told = "seed " + seed + ", round " + i + ": " + a + " and " + b;
      assertSame(told, a);
      assertOperations(told, a, b);
    }
  }

  private static BitSet random(Random random) {
    int limit = LIMITS[random.nextInt(LIMITS.length)];
    BitSet bits = new BitSet();
    int kind = random.nextInt(4);
    for (int id = 0; id < limit; id++) {
      bits.set(id, kind == 0 ? random.nextInt(20) == 0 : kind == 1 || random.nextInt(kind + 1) > 0);
    }
    return bits;
  }

  private static CpuSet of(BitSet bits) {
    return CpuSet.of(bits.stream().toArray());
  }

  private static void assertSame(String told, BitSet bits) {
    CpuSet set = of(bits);
    assertThat(set.size()).as(told).isEqualTo(bits.cardinality());
    assertThat(set.isEmpty()).as(told).isEqualTo(bits.isEmpty());
    assertThat(set.first()).as(told).isEqualTo(bits.nextSetBit(0));
    assertThat(set.last()).as(told).isEqualTo(bits.length() - 1);
    assertThat(set.toArray()).as(told).isEqualTo(bits.stream().toArray());
    assertThat(set.stream().toArray()).as(told).isEqualTo(bits.stream().toArray());
    for (int id = -1; id <= bits.length() + 70; id++) {
      assertThat(set.contains(id)).as(told).isEqualTo(id >= 0 && bits.get(id));
      assertThat(set.next(id)).as(told).isEqualTo(bits.nextSetBit(Math.max(id, 0)));
    }
    assertThat(CpuSet.ofWords(bits.toLongArray())).as(told).isEqualTo(set);
    assertThat(set.wordCount()).as(told).isEqualTo(bits.toLongArray().length);
    List<Integer> seen = new ArrayList<>();
    set.forEach(seen::add);
    assertThat(seen).as(told).isEqualTo(bits.stream().boxed().toList());
    assertThat(CpuSet.parse(set.toString())).as(told).isEqualTo(set).hasSameHashCodeAs(set);
  }

  private static void assertOperations(String told, BitSet a, BitSet b) {
    CpuSet x = of(a);
    CpuSet y = of(b);
    BitSet union = (BitSet) a.clone();
    union.or(b);
    BitSet intersection = (BitSet) a.clone();
    intersection.and(b);
    BitSet difference = (BitSet) a.clone();
    difference.andNot(b);
    assertThat(x.union(y)).as(told).isEqualTo(of(union));
    assertThat(x.intersection(y)).as(told).isEqualTo(of(intersection));
    assertThat(x.difference(y)).as(told).isEqualTo(of(difference));
    assertThat(x.intersects(y)).as(told).isEqualTo(a.intersects(b));
    assertThat(x.sharedWith(y)).as(told).isEqualTo(intersection.cardinality());
    assertThat(x.isSubsetOf(y)).as(told).isEqualTo(difference.isEmpty());
    assertThat(x.equals(y)).as(told).isEqualTo(a.equals(b));
  }

  @Test
  void anUnchangedSetIsTheSameObject() {
    CpuSet set = CpuSet.parse("0-9,80");
    assertThat(set.union(CpuSet.of(3))).isSameAs(set);
    assertThat(set.intersection(CpuSet.range(0, 99))).isSameAs(set);
    assertThat(set.difference(CpuSet.of(50))).isSameAs(set);
    assertThat(CpuSet.of(3).union(set)).isSameAs(set);
    assertThat(CpuSet.of(3).difference(CpuSet.of(3))).isSameAs(CpuSet.EMPTY);
    assertThat(CpuSet.range(4, 3)).isSameAs(CpuSet.EMPTY);
    assertThat(CpuSet.ofWords(new long[3])).isSameAs(CpuSet.EMPTY);
  }

  @Test
  void wordsAreCopied() {
    long[] words = {7};
    CpuSet set = CpuSet.ofWords(words);
    words[0] = 0;
    assertThat(set).isEqualTo(CpuSet.range(0, 2));
    assertThat(set.word(0)).isEqualTo(7);
    assertThat(set.word(1)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-3,8|0-3,8",
        "8,0-3|0-3,8",
        "0,1,2|0-2",
        "0-3,2-5|0-5",
        "63-64|63-64",
        "0-31:2/8|0-1,8-9,16-17,24-25",
        "0-9:1/3|0,3,6,9",
        "0-7:3/4|0-2,4-6",
        "5-5:1/1|5",
        "0-9:0/4|''",
        "1048575|1048575",
        "007|7",
        "'  0-1 '|0-1",
        "''|''"
      })
  void readsLinuxLists(String list, String expected) {
    assertThat(CpuSet.parse(list + "\n").toString()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x|cpuset \"x\": expected a number at column 1, found \"x\"",
        "0-3,x|cpuset \"0-3,x\": expected a number at column 5, found \"x\"",
        "0-|cpuset \"0-\": expected a number at column 3, found the end",
        "0,|cpuset \"0,\": expected a number at column 3, found the end",
        ",0|cpuset \",0\": expected a number at column 1, found \",\"",
        "0,,1|cpuset \"0,,1\": expected a number at column 3, found \",\"",
        "0 1|cpuset \"0 1\": expected a comma at column 2, found \" \"",
        "3-1|cpuset \"3-1\": expected a range from low to high at column 1, found 3-1",
        "-1|cpuset \"-1\": expected a number at column 1, found \"-\"",
        "1.5|cpuset \"1.5\": expected a comma at column 2, found \".\"",
        "0-7:2|cpuset \"0-7:2\": expected \"/\" and the size of a group at column 6, found the end",
        "0-7:3/2|cpuset \"0-7:3/2\": expected a group of at least 3 at column 7, found 2",
        "0-7:0/0|cpuset \"0-7:0/0\": expected a group of at least 1 at column 7, found 0",
        "1048576|cpuset \"1048576\": expected at most 1048575 at column 1, found 1048576",
        "99999999999999999999|cpuset \"99999999999999999999\": expected at most 1048575 at column"
            + " 1, found 99999999999999999999",
        "0x3|cpuset \"0x3\": expected a comma at column 2, found \"x\""
      })
  void refusesOtherListsWithTheColumn(String list, String message) {
    assertThatThrownBy(() -> CpuSet.parse(list))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(message);
  }

  @Test
  void aRefusalIsOneShortLine() {
    assertThatThrownBy(() -> CpuSet.parse("0\n1")).hasMessageNotContaining("\n");
    assertThatThrownBy(() -> CpuSet.parse("1,".repeat(500) + "?"))
        .message()
        .hasSizeLessThan(160)
        .contains("at column 1001");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, IdSet.ID_LIMIT, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void refusesIdsThatNoKernelHas(int id) {
    String message = "CPU id: expected 0 to 1048575, found " + id;
    assertThatThrownBy(() -> CpuSet.of(0, id)).hasMessage(message);
    assertThatThrownBy(() -> CpuSet.range(id, 3)).hasMessage(message);
    assertThatThrownBy(() -> CpuSet.range(0, id)).hasMessage(message);
  }

  @Test
  void refusesMoreWordsThanIds() {
    assertThatThrownBy(() -> CpuSet.ofWords(new long[16385]))
        .hasMessage("cpuset: expected at most 16384 words, found 16385");
  }

  @Test
  void theHighestIdWorks() {
    CpuSet set = CpuSet.of(IdSet.ID_LIMIT - 1);
    assertThat(set.last()).isEqualTo(IdSet.ID_LIMIT - 1);
    assertThat(set.toString()).isEqualTo("1048575");
    assertThat(CpuSet.range(0, IdSet.ID_LIMIT - 1).size()).isEqualTo(IdSet.ID_LIMIT);
  }

  @Test
  void nodesAreNotCpus() {
    assertThat(NodeSet.parse("0-3,8")).isEqualTo(NodeSet.of(8, 0, 1, 2, 3));
    assertThat(NodeSet.range(2, 3)).hasToString("2-3");
    assertThat(NodeSet.EMPTY.equals((Object) CpuSet.EMPTY)).isFalse();
    assertThat(NodeSet.of(1).equals((Object) CpuSet.of(1))).isFalse();
    assertThat(NodeSet.of()).isSameAs(NodeSet.EMPTY);
    assertThatThrownBy(() -> NodeSet.parse("a"))
        .hasMessage("node list \"a\": expected a number at column 1, found \"a\"");
    assertThatThrownBy(() -> NodeSet.of(-1))
        .hasMessage("NUMA node id: expected 0 to 1048575, found -1");
    assertThat(NodeSet.of(0, 70).union(NodeSet.of(1)).difference(NodeSet.of(0)))
        .isEqualTo(NodeSet.of(1, 70));
  }
}
