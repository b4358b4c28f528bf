package dev.berth.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.protocols.Bounded;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.PodSandbox;
import dev.berth.protocols.nri.SynchronizeRequest;
import org.junit.jupiter.api.Test;

class BoundedTest {
  private static SynchronizeRequest listing(int containers) {
    SynchronizeRequest.Builder listing = SynchronizeRequest.newBuilder();
    for (int i = 0; i < containers; i++) {
      listing.addContainers(Container.getDefaultInstance());
    }
    return listing.build();
  }

  private static SynchronizeRequest read(ByteString bytes) throws InvalidProtocolBufferException {
    return Bounded.parse(SynchronizeRequest.parser(), SynchronizeRequest.getDescriptor(), bytes);
  }

  /** Empty ones are the worst: two bytes each on the wire. */
  @Test
  void asManyPartsAsAreAllowedAreReadAndOneMoreIsNot() throws Exception {
    SynchronizeRequest most = listing(Bounded.MOST_PARTS);
    assertThat(read(most.toByteString())).isEqualTo(most);
    ByteString more = listing(Bounded.MOST_PARTS + 1).toByteString();
    assertThatThrownBy(() -> read(more))
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessage("more than 100000 parts");
  }

  @Test
  void partsOfPartsCountToo() {
    PodSandbox.Builder pod = PodSandbox.newBuilder();
    for (int i = 0; i < Bounded.MOST_PARTS; i++) {
      pod.putAnnotations("a" + i, "");
    }
    ByteString bytes = SynchronizeRequest.newBuilder().addPods(pod).build().toByteString();
    assertThatThrownBy(() -> read(bytes)).hasMessage("more than 100000 parts");
  }

  @Test
  void whatWeDoNotKnowIsDropped() throws Exception {
    byte[] unknown = {(byte) 0xfa, 0x07, 0x03, 'a', 'b', 'c'};
    assertThat(read(ByteString.copyFrom(unknown)).getUnknownFields().asMap()).isEmpty();
  }
}
