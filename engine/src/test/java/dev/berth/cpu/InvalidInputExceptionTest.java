package dev.berth.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InvalidInputExceptionTest {
  @Test
  void carriesItsMessageUnchangedAndIsAnIllegalArgument() {
    assertThat(new InvalidInputException("cpuset \"x\": expected a number, found \"x\""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cpuset \"x\": expected a number, found \"x\"")
        .hasNoCause();
  }
}
