package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.Reservation;
import dev.berth.workload.Quantity;
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

  /** Each replaces the file's amounts as a whole, as a kubelet's flag does. */
  @Test
  void amountsOnTheCommandLineReplaceTheFiles() {
    String file =
        """
        kubeReserved: {cpu: 4, memory: 4Gi}
        systemReserved: {cpu: 500m}
        """;
    assertThat(
            NodeSettings.read(
                    "berth.yaml",
                    file,
                    List.of(
                        new FlagSetting("kubeReserved", "--kube-reserved", "cpu=1500m,memory=1Gi")))
                .configuration()
                .reservation())
        .isEqualTo(new Reservation.Amount(Quantity.parse("2")));
    assertThat(
            NodeSettings.read(
                    "berth.yaml",
                    file,
                    List.of(
                        new FlagSetting("systemReserved", "--system-reserved", "cpu=2"),
                        new FlagSetting("kubeReserved", "--kube-reserved", "memory=1Gi")))
                .configuration()
                .reservation())
        .isEqualTo(new Reservation.Amount(Quantity.parse("2")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cpuManagerPolicy|x|expected none or static, found \"x\"",
        "reservedSystemCPUs|x|cpuset \"x\": expected a number at column 1, found \"x\"",
        "cpuManagerPolicyOptions|full|expected name=value,…, found \"full\"",
        "kubeReserved|cpu=x|cpu: quantity \"x\": expected a number from 0",
        "systemReserved|cpus=1|expected a known key, found \"cpus\", did you mean cpu?",
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
