package dev.berth.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.protocols.deviceplugin.RegisterRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationRulesTest {
  private static RegisterRequest request(String resource, String endpoint) {
    return RegisterRequest.newBuilder()
        .setVersion("v1beta1")
        .setResourceName(resource)
        .setEndpoint(endpoint)
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvidia.com/gpu", "example.com/Res_1.x", "a/b", "intel.com/sgx-epc"})
  void extendedResourcesAreTaken(String resource) {
    assertThat(RegistrationRules.refusal(request(resource, "x.sock"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cpu",
        "gpu",
        "/gpu",
        "vendor.example/",
        "kubernetes.io/gpu",
        "node.kubernetes.io/gpu",
        "requests.vendor.example/gpu",
        "Vendor.example/gpu",
        "vendor..example/gpu",
        "vendor.example/a/b",
        "vendor.example/-gpu",
        "vendor.example/gpu\n",
        "vendor.example/a23456789012345678901234567890123456789012345678901234567890abcd"
      })
  void otherNamesAreNot(String resource) {
    assertThat(RegistrationRules.refusal(request(resource, "x.sock")))
        .hasValueSatisfying(line ->
            assertThat(line)
                .startsWith("device plugin's resource: expected a name such as")
                .doesNotContain("\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../x", "/run/x", "a/b", "kubelet.sock", "a\0b", "a\nb"})
  void endpointsAreNamesInsideTheFolder(String endpoint) {
    assertThat(RegistrationRules.refusal(request("nvidia.com/gpu", endpoint)))
        .hasValueSatisfying(line ->
            assertThat(line).startsWith("device plugin's endpoint: expected the name of a socket"));
  }

  @Test
  void patienceIsSomeTime() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new Patience(second, second, Duration.ZERO, second, second))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("patience with device plugins: expected a time above 0, found PT0S");
  }
}
