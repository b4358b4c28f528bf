package dev.berth.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
  @ParameterizedTest
  @CsvSource({
    "00, a field without a number",
    "0200, a field without a number",
    "ffffffff7f00, a field without a number",
    "0b, a field of an unknown type",
    "0c, a field of an unknown type",
    "0e, a field of an unknown type",
    "08, a number without an end",
    "08ffff, a number without an end",
    "08ffffffffffffffffffff01, a number without an end",
    "0a05616263, a field that is longer than its message",
    "0affffffffffffffffff01, a field that is longer than its message",
    "0affffffff07, a field that is longer than its message",
    "0900000000, a field that is longer than its message",
    "0d000000, a field that is longer than its message",
  })
  void whatIsNoFieldIsRefused(String hex, String why) {
    Fields fields = Fields.of(HexFormat.of().parseHex(hex));
    assertThatThrownBy(fields::next)
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessage(why);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 127, 128, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void numbersAreReadAsTheyWereWritten(long number) throws Exception {
    byte[] written = new FieldWriter().number(7, number).toBytes();
    assertThat(UnknownFieldSet.parseFrom(written).getField(7).getVarintList())
        .containsExactly(number);
    Fields fields = Fields.of(written);
    assertThat(fields.next()).isTrue();
    assertThat(fields.key()).isEqualTo(7 << 3 | Fields.NUMBER);
    assertThat(fields.number()).isEqualTo(number);
    assertThat(fields.next()).isFalse();
  }

  @Test
  void longTextsAndMessagesInMessagesAreReadAsTheyWereWritten() throws Exception {
    String text = "größer ".repeat(1_000);
    byte[] written =
        new FieldWriter()
            .message(1, new FieldWriter().text(2, text).number(3, 4))
            .append(new FieldWriter().add(500, new byte[] {1, 2}))
            .toBytes();
    Fields fields = Fields.of(written);
    assertThat(fields.next()).isTrue();
    Fields inner = fields.message();
    assertThat(inner.next()).isTrue();
    assertThat(inner.text()).isEqualTo(text);
    assertThat(inner.is(text.getBytes(StandardCharsets.UTF_8))).isTrue();
    assertThat(inner.is(new byte[0])).isFalse();
    assertThat(inner.next()).isTrue();
    assertThat(inner.number()).isEqualTo(4);
    assertThat(inner.next()).isFalse();
    assertThat(fields.next()).isTrue();
    assertThat(fields.key()).isEqualTo(500 << 3 | Fields.BYTES);
    assertThat(fields.bytes()).containsExactly(1, 2);
    assertThat(fields.next()).isFalse();
  }

  @Test
  void whatIsNothingIsLeftOutAndAnEmptyMessageIsNot() {
    assertThat(new FieldWriter().number(1, 0).text(2, "").toBytes()).isEmpty();
    assertThat(new FieldWriter().message(1, new FieldWriter()).toBytes()).containsExactly(10, 0);
  }

  @Test
  void aTextWithAReplacementCharacterIsAText() throws Exception {
    Fields fields = Fields.of(new FieldWriter().text(1, "\uFFFD").toBytes());
    assertThat(fields.next()).isTrue();
    assertThat(fields.text()).isEqualTo("\uFFFD");
  }
}
