package dev.berth.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class JsonTest {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "true",
        "-1",
        "2147483648",
        "9223372036854775808",
        "1.50",
        "1e400",
        "\"a\\u0000\\n\\\"é\uD83D\uDE00/\"",
        "[]",
        "[1,[2.5],{}]",
        "{\"b\":1,\"a\":{\"c\":[null,false]}}",
        "{\"a\":1,\"a\":2}"
      })
  void readsAndWritesAsAMapperDoes(String text) {
    assertThat(Json.read(text)).isEqualTo(MAPPER.readTree(text));
    assertThat(Json.write(Json.read(text)))
        .isEqualTo(MAPPER.writeValueAsString(MAPPER.readTree(text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[1", "{\"a\"}", "[1,]", "nul", "NaN", "1 2", "{}x", "]"})
  void refusesWhatAMapperRefuses(String text) {
    assertThatThrownBy(() -> MAPPER.readTree(text)).isInstanceOf(JacksonException.class);
    assertThatThrownBy(() -> Json.read(text)).isInstanceOf(JacksonException.class);
    assertThatThrownBy(() -> Json.readStrictly(text)).isInstanceOf(JacksonException.class);
  }

  @Test
  void refusesAFieldThatIsThereTwiceWhereItIsStrict() {
    assertThatThrownBy(() -> Json.readStrictly("{\"a\":1,\"a\":2}"))
        .isInstanceOf(JacksonException.class)
        .hasMessageContaining("Duplicate");
  }

  @Test
  void quotesText() {
    assertThat(Json.quoted("a \"b\"\n")).isEqualTo("\"a \\\"b\\\"\\n\"");
  }
}
