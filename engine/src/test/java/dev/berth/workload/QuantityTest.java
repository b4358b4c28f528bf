package dev.berth.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    // written, as a number, whole units rounded up, thousandths rounded up, a whole number of CPUs
    "0,0,0,0,true",
    "2,2,2,2000,true",
    "+2,2,2,2000,true",
    "007,7,7,7000,true",
    "2.0,2,2,2000,true",
    "2.,2,2,2000,true",
    ".5,0.5,1,500,false",
    "500m,0.5,1,500,false",
    "1500m,1.5,2,1500,false",
    "2000m,2,2,2000,true",
    "100u,0.0001,1,1,false",
    "1n,0.000000001,1,1,false",
    "1999999u,1.999999,2,2000,true",
    "1999m,1.999,2,1999,false",
    "1k,1000,1000,1000000,true",
    "1M,1000000,1000000,1000000000,true",
    "1Ki,1024,1024,1024000,true",
    "1.5Gi,1610612736,1610612736,1610612736000,true",
    "1e3,1000,1000,1000000,true",
    "1E3,1000,1000,1000000,true",
    "1E,1000000000000000000,1000000000000000000,9223372036854775807,true",
    "5e-1,0.5,1,500,false",
    "12e+1,120,120,120000,true",
    "9223372036854775807,9223372036854775807,9223372036854775807,9223372036854775807,true",
    "0.0000000001,0.000000001,1,1,false"
  })
  void readsWhatKubernetesWrites(
      String written, String number, long value, long millis, boolean whole) {
    Quantity quantity = Quantity.parse(written);
    assertThat(quantity).hasToString(number);
    assertThat(quantity.value()).isEqualTo(value);
    assertThat(quantity.millis()).isEqualTo(millis);
    assertThat(quantity.isWhole()).isEqualTo(whole);
    assertThat(Quantity.parse(quantity.toString()))
        .as("written and read again")
        .isEqualTo(quantity);
  }

  @ParameterizedTest
  @CsvSource({
    "'', a number from 0",
    "x, a number from 0",
    "-1, a number from 0",
    ".,a number from 0",
    "1.2.3, a number from 0",
    "' 1', a number from 0",
    "'1 ', 'a unit such as m, k, Mi, Gi or e3 after the number'",
    "1x, 'a unit such as m, k, Mi, Gi or e3 after the number'",
    "1e, 'a unit such as m, k, Mi, Gi or e3 after the number'",
    "1ki, 'a unit such as m, k, Mi, Gi or e3 after the number'",
    "1e99, 'a unit such as m, k, Mi, Gi or e3 after the number'",
    "1e1.5, a number after e",
    "9223372036854775808, at most 9223372036854775807",
    "16Ei, at most 9223372036854775807"
  })
  void refusesAnythingElseInOneLine(String written, String expected) {
    assertThatThrownBy(() -> Quantity.parse(written))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("quantity \"" + written + "\": expected " + expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {65, 100_000})
  void refusesEndlessDigitsWithoutRepeatingThemAll(int digits) {
    assertThatThrownBy(() -> Quantity.parse("1".repeat(digits)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("quantity \"" + "1".repeat(37) + "...\": expected a number from 0");
  }

  @Test
  void thousandthsAreWhatTheirNotationSays() {
    for (long millis : new long[] {0, 1, 999, 1_000, 1_500, 128_001, Long.MAX_VALUE}) {
      assertThat(Quantity.ofMillis(millis)).isEqualTo(Quantity.parse(millis + "m"));
    }
    assertThatThrownBy(() -> Quantity.ofMillis(-1)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void refusesLessThanNothing() {
    assertThatThrownBy(() -> Quantity.parse("+-1")).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> Quantity.of(-1)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> new Quantity(0, 1_000_000_000))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void addsWithACarryAndStopsAtTheLargest() {
    assertThat(Quantity.parse("1.6").plus(Quantity.parse("0.7"))).hasToString("2.3");
    assertThat(Quantity.of(Long.MAX_VALUE).plus(Quantity.of(1)))
        .isEqualTo(Quantity.of(Long.MAX_VALUE));
  }

  @Test
  void comparesByAmount() {
    assertThat(Quantity.parse("1500m"))
        .isGreaterThan(Quantity.of(1))
        .isLessThan(Quantity.of(2))
        .isEqualByComparingTo(Quantity.parse("1.5"));
  }
}
