package dev.berth.kubelet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.Configuration;
import java.util.List;

/** Settings from the text of a file. */
final class SettingsFile {
  /** What a file begins with that is a kubelet's. */
  static final String KUBELET =
      """
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
      """;

  private SettingsFile() {}

  static NodeSettings read(String text) {
    return NodeSettings.read("berth.yaml", text, List.of());
  }

  static Configuration configuration(String text) {
    return read(text).configuration();
  }

  static void refuses(String text, String line) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidInputException.class).hasMessage(line);
  }
}
