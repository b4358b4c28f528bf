package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What leaves a machine in a bundle has no secrets of the usual places in it. */
class RedactionTest {
  @Test
  void valuesOfVariablesAreLeftOutHoweverDeepTheyStand() {
    String spec =
        "{\\\"pod\\\":{\\\"spec\\\":{\\\"containers\\\":[{\\\"name\\\":\\\"app\\\",\\\"env\\\":"
            + "[{\\\"name\\\":\\\"TOKEN\\\",\\\"value\\\":\\\"hunter2\\\"}],"
            + "\\\"command\\\":[\\\"run\\\"]}]}}}";
    String journal =
        "0000abcd {\"berth\":{\"version\":1}}\n1111abcd {\"pod\":{\"spec\":\"" + spec + "\"}}\n";
    assertThat(Redaction.journal(journal))
        .doesNotContain("hunter2")
        .contains("TOKEN")
        .contains("(left out)")
        .contains("\\\"command\\\":[\\\"run\\\"]")
        .startsWith("0000abcd {\"berth\":{\"version\":1}}\n1111abcd {");
  }

  @Test
  void whatCannotBeReadIsLeftOutAsAWhole() {
    assertThat(Redaction.journal("0000abcd {\"pod\":{\"spec\":\"{hunter2"))
        .isEqualTo("(a line of 33 characters that cannot be read was left out)\n");
    assertThat(Redaction.journal("1111abcd {\"pod\":{\"spec\":\"hunter2\"}}\n"))
        .doesNotContain("hunter2");
  }
}
