package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Reservation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags, which override a file. */
class FlagSettingsTest {
  @Test
  void flagsOverrideTheFile() {
    String file =
        """
        cpuManagerPolicy: none
        cpuManagerPolicyOptions: {full-pcpus-only: true}
        featureGates: {CPUManagerPolicyAlphaOptions: true, PodLevelResources: false}
        """;
    Configuration configuration =
        NodeSettings.read(
                "berth.yaml",
                file,
                List.of(
                    new FlagSetting("cpuManagerPolicy", "--cpu-manager-policy", "static"),
                    new FlagSetting(
                        "cpuManagerPolicyOptions",
                        "--cpu-manager-policy-options",
                        "align-by-socket=true,strict-cpu-reservation=true"),
                    new FlagSetting("featureGates", "--feature-gates", "PodLevelResources=true"),
                    new FlagSetting("reservedSystemCPUs", "--reserved-cpus", "2")))
            .configuration();
    assertThat(configuration.cpuPolicy()).isEqualTo(CpuPolicy.STATIC);
    assertThat(configuration.cpuOptions())
        .isEqualTo(Map.of("align-by-socket", "true", "strict-cpu-reservation", "true"));
    assertThat(configuration.gates().settings())
        .isEqualTo(Map.of("CPUManagerPolicyAlphaOptions", true, "PodLevelResources", true));
    assertThat(configuration.reservation()).isEqualTo(new Reservation.These(CpuSet.of(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cpuManagerPolicy|x|expected none or static, found \"x\"",
        "reservedSystemCPUs|x|cpuset \"x\": expected a number at column 1, found \"x\"",
        "cpuManagerPolicyOptions|full|expected name=value,…, found \"full\"",
        "cpuManagerPolicyOptions|full-pcpus-only=2|full-pcpus-only: expected true or false, found"
            + " \"2\"",
        "featureGates|PodLevelResources=yes|PodLevelResources: expected true or false, found"
            + " \"yes\"",
      })
  void aBadFlagIsOneLineThatNamesTheFlag(String setting, String text, String line) {
    assertThatThrownBy(
            () -> NodeSettings.read("", "", List.of(new FlagSetting(setting, "--flag", text))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("--flag: " + line);
  }
}
