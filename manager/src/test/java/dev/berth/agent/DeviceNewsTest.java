package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.Device;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeviceNewsTest {
  private static final String GPU = "vendor.example/gpu";

  @Test
  void saysWhoCameWentFellIllRecoveredAndMoved() {
    Device zero = Device.of(GPU, "gpu-0", 0);
    Device one = Device.of(GPU, "gpu-1", 0);
    Device two = Device.of(GPU, "gpu-2", 1);
    Device other = Device.of("vendor.example/nic", "nic-0", 0);
    assertThat(DeviceNews.between(GPU, List.of(other), List.of(one, zero, two.withHealth(false))))
        .contains("devices of vendor.example/gpu: came gpu-0, gpu-1, gpu-2 (unhealthy)");
    assertThat(
            DeviceNews.between(
                GPU,
                List.of(zero, one, two.withHealth(false), other),
                List.of(one.withHealth(false), two)))
        .contains(
            "devices of vendor.example/gpu: gone gpu-0; unhealthy gpu-1; healthy again gpu-2");
    assertThat(DeviceNews.between(GPU, List.of(zero), List.of(Device.of(GPU, "gpu-0", 1))))
        .contains("devices of vendor.example/gpu: near other NUMA nodes gpu-0");
  }

  @Test
  void aListThatSaysNothingNewIsNoNews() {
    List<Device> list = List.of(Device.of(GPU, "gpu-0", 0));
    assertThat(DeviceNews.between(GPU, list, list)).isEmpty();
    assertThat(DeviceNews.between(GPU, List.of(), List.of())).isEmpty();
  }

  @Test
  void manyAreCounted() {
    List<Device> many =
        IntStream.range(0, 100).mapToObj(i -> Device.of(GPU, "gpu-" + i, 0)).toList();
    assertThat(DeviceNews.between(GPU, List.of(), many).orElseThrow())
        .endsWith("came gpu-0, gpu-1, gpu-10, gpu-11, gpu-12, gpu-13 and 94 more");
  }
}
