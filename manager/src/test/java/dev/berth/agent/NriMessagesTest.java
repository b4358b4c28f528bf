package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.protocols.nri.ContainerAdjustment;
import dev.berth.protocols.nri.CreateContainerResponse;
import dev.berth.protocols.nri.KeyValue;
import dev.berth.protocols.nri.LinuxContainerAdjustment;
import dev.berth.protocols.nri.LinuxDevice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The answer that is written by hand, as others read it. */
class NriMessagesTest {
  private static final Place OWNER =
      new Place(
          "owner",
          Optional.of(CpuSet.parse("2-5")),
          Optional.of(NodeSet.parse("0-1")),
          OptionalLong.of(-1),
          true);
  private static final Place SHARING =
      new Place(
          "sharing",
          Optional.of(CpuSet.parse("0-1,6-200")),
          Optional.empty(),
          OptionalLong.empty(),
          false);
  private static final Place UNMANAGED =
      new Place("free", Optional.empty(), Optional.empty(), OptionalLong.of(50_000), false);

  @Test
  void theAnswerHasThePlaceAndThoseWhoMove() throws Exception {
    CreateContainerResponse answer =
        CreateContainerResponse.parseFrom(
            NriMessages.answer(
                OWNER, ContainerAdjustment.getDefaultInstance(), List.of(SHARING, UNMANAGED)));
    assertThat(answer.getAdjust().getLinux().getResources().getCpu().getCpus()).isEqualTo("2-5");
    assertThat(answer.getAdjust().getLinux().getResources().getCpu().getMems()).isEqualTo("0-1");
    assertThat(answer.getAdjust().getLinux().getResources().getCpu().getQuota().getValue())
        .isEqualTo(-1);
    assertThat(answer.getUpdateList())
        .isEqualTo(NriMessages.updates(List.of(SHARING, UNMANAGED), true));
    assertThat(answer.getUnknownFields().asMap()).isEmpty();
  }

  @Test
  void whatPluginsHandOnIsInTheSameAnswer() throws Exception {
    ContainerAdjustment handed =
        ContainerAdjustment.newBuilder()
            .addEnv(KeyValue.newBuilder().setKey("NIC").setValue("eth1"))
            .setLinux(
                LinuxContainerAdjustment.newBuilder()
                    .addDevices(LinuxDevice.newBuilder().setPath("/dev/nic")))
            .build();
    ContainerAdjustment adjust =
        CreateContainerResponse.parseFrom(NriMessages.answer(SHARING, handed, List.of()))
            .getAdjust();
    assertThat(adjust.getEnv(0).getValue()).isEqualTo("eth1");
    assertThat(adjust.getLinux().getDevices(0).getPath()).isEqualTo("/dev/nic");
    assertThat(adjust.getLinux().getResources().getCpu().getCpus()).isEqualTo("0-1,6-200");
    assertThat(adjust.getLinux().getResources().getCpu().hasQuota()).isFalse();
  }
}
