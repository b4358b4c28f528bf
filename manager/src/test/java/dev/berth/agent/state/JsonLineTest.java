package dev.berth.agent.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonLineTest {
  private static final String LETTERS =
      "ab\"\\/\n\r\t\u0000\u001f\u007f{}[]:,é☃\uD83D\uDE00\u2028 ";

  @Test
  void objectsArraysAndFieldsStandInOrder() {
    JsonLine json = new JsonLine().object().put("a", "x").put("n", -5).object("o").end();
    json.array("l").add("1").add("2").object().put("k", "v").end().endArray().array("e").endArray();
    assertThat(json.end())
        .hasToString("{\"a\":\"x\",\"n\":-5,\"o\":{},\"l\":[\"1\",\"2\",{\"k\":\"v\"}],\"e\":[]}");
  }

  /** Whatever somebody calls a container: a library reads what was written, on one line. */
  @Test
  void isReadAsItWasWritten() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 5_000; round++) {
      Map<String, Object> expected = new LinkedHashMap<>();
      JsonLine json = new JsonLine().object();
      for (int i = random.nextInt(5); i > 0; i--) {
        String name = text(random) + i;
        if (random.nextBoolean()) {
          String value = text(random);
          json.put(name, value);
          expected.put(name, value);
        } else {
          List<String> list = new ArrayList<>();
          json.array(name);
          for (int n = random.nextInt(3); n > 0; n--) {
            list.add(text(random));
            json.add(list.getLast());
          }
          json.endArray();
          expected.put(name, list);
        }
      }
      String line = json.end().toString();
      assertThat(line).as("seed %d", seed).doesNotContain("\n", "\r");
      assertThat(JsonMapper.shared().readTree(line))
          .as("seed %d: %s", seed, line)
          .isEqualTo(JsonMapper.shared().valueToTree(expected));
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      text.appendCodePoint(
          LETTERS.codePoints().toArray()[random.nextInt((int) LETTERS.codePoints().count())]);
    }
    return text.toString();
  }
}
