package dev.berth.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.protocols.nri.Container;
import dev.berth.protocols.nri.CreateContainerRequest;
import dev.berth.protocols.nri.HugepageLimit;
import dev.berth.protocols.nri.LinuxCPU;
import dev.berth.protocols.nri.LinuxContainer;
import dev.berth.protocols.nri.LinuxMemory;
import dev.berth.protocols.nri.LinuxPodSandbox;
import dev.berth.protocols.nri.LinuxResources;
import dev.berth.protocols.nri.OptionalInt64;
import dev.berth.protocols.nri.OptionalUInt64;
import dev.berth.protocols.nri.PodSandbox;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is read by hand is what generated code reads. */
class CreationTest {
  private static final int RUNS = 2_000;
  private static final String[] WORDS = {"", "a", "db-0", "größer", "資料", "x".repeat(300)};
  private static final long[] NUMBERS = {
    0, 1, 2, 127, 128, -1, 100_000, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final Random random = new Random(7);

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private long number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  /** Fields that nobody here knows, of every kind. */
  private UnknownFieldSet strange() {
    UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
      switch (random.nextInt(4)) {
        case 0 -> field.addVarint(number());
        case 1 -> field.addFixed32(i);
        case 2 -> field.addFixed64(i);
        default -> field.addLengthDelimited(ByteString.copyFromUtf8(word()));
      }
      fields.addField(20 + random.nextInt(2_000), field.build());
    }
    return fields.build();
  }

  private OptionalInt64 signed() {
    return OptionalInt64.newBuilder().setValue(number()).setUnknownFields(strange()).build();
  }

  private OptionalUInt64 unsigned() {
    return OptionalUInt64.newBuilder().setValue(number()).build();
  }

  private LinuxResources resources() {
    LinuxResources.Builder resources = LinuxResources.newBuilder().setUnknownFields(strange());
    if (random.nextBoolean()) {
      LinuxCPU.Builder cpu = LinuxCPU.newBuilder().setCpus(word()).setUnknownFields(strange());
      if (random.nextBoolean()) {
        cpu.setShares(unsigned());
      }
      if (random.nextBoolean()) {
        cpu.setQuota(signed()).setPeriod(unsigned());
      }
      resources.setCpu(cpu);
    }
    if (random.nextBoolean()) {
      resources.setMemory(LinuxMemory.newBuilder().setLimit(signed()));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      resources.addHugepageLimits(
          HugepageLimit.newBuilder().setPageSize(word()).setLimit(number()));
    }
    return resources.build();
  }

  private CreateContainerRequest request() {
    PodSandbox.Builder pod =
        PodSandbox.newBuilder()
            .setId(word())
            .setName(word())
            .setUid(word())
            .setNamespace(word())
            .setUnknownFields(strange())
            .setLinux(LinuxPodSandbox.newBuilder().setCgroupParent(word()));
    for (int i = random.nextInt(3); i > 0; i--) {
      pod.putAnnotations(word(), word());
    }
    return CreateContainerRequest.newBuilder()
        .setPod(pod)
        .setContainer(
            Container.newBuilder()
                .setId(word())
                .setPodSandboxId(word())
                .setName(word())
                .setPid(random.nextInt())
                .setUnknownFields(strange())
                .setLinux(LinuxContainer.newBuilder().setResources(resources())))
        .build();
  }

  private static void compare(Creation read, CreateContainerRequest sent)
      throws InvalidProtocolBufferException {
    PodSandbox pod = sent.getPod();
    Container container = sent.getContainer();
    LinuxResources resources = container.getLinux().getResources();
    assertThat(read.podId()).isEqualTo(pod.getId());
    assertThat(read.podName()).isEqualTo(pod.getName());
    assertThat(read.podUid()).isEqualTo(pod.getUid());
    assertThat(read.namespace()).isEqualTo(pod.getNamespace());
    assertThat(read.cgroupParent()).isEqualTo(pod.getLinux().getCgroupParent());
    assertThat(read.id()).isEqualTo(container.getId());
    assertThat(read.name()).isEqualTo(container.getName());
    assertThat(read.memory()).isEqualTo(resources.getMemory().getLimit().getValue());
    assertThat(read.shares()).isEqualTo(resources.getCpu().getShares().getValue());
    assertThat(read.quota()).isEqualTo(resources.getCpu().getQuota().getValue());
    assertThat(read.period()).isEqualTo(resources.getCpu().getPeriod().getValue());
    Map<String, Long> hugepages =
        resources.getHugepageLimitsList().stream()
            .collect(
                Collectors.toMap(
                    HugepageLimit::getPageSize,
                    HugepageLimit::getLimit,
                    (_, later) -> later,
                    TreeMap::new));
    assertThat(read.hugepages()).isEqualTo(hugepages);
    for (String key : WORDS) {
      assertThat(read.annotation(key)).isEqualTo(pod.getAnnotationsOrDefault(key, ""));
    }
  }

  @Test
  void readsWhatGeneratedCodeReads() throws Exception {
    for (int i = 0; i < RUNS; i++) {
      CreateContainerRequest sent = request();
      compare(Creation.read(sent.toByteArray()), sent);
    }
  }

  /** As protobuf has it: a message that comes twice is one, and its later fields count. */
  @Test
  void partsThatComeTwiceAreMerged() throws Exception {
    for (int i = 0; i < RUNS; i++) {
      byte[] one = request().toByteArray();
      byte[] two = request().toByteArray();
      byte[] both = Arrays.copyOf(one, one.length + two.length);
      System.arraycopy(two, 0, both, one.length, two.length);
      compare(Creation.read(both), CreateContainerRequest.parseFrom(both));
    }
  }

  /** Most are refused, and nothing else is thrown. */
  @Test
  void cutAndGarbledRequestsAreRefused() {
    int refused = 0;
    for (int i = 0; i < RUNS; i++) {
      byte[] bytes = request().toByteArray();
      byte[] garbled = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      if (garbled.length > 0) {
        garbled[random.nextInt(garbled.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        Creation.read(garbled).annotation("a");
      } catch (InvalidProtocolBufferException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(RUNS / 2, RUNS);
  }

  @Test
  void textThatIsNoneIsRefused() {
    byte[] pod = {1 << 3 | 2, 3, 2 << 3 | 2, 1, (byte) 0xff};
    assertThatThrownBy(() -> Creation.read(pod))
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessage("a text that is not UTF-8");
  }

  @Test
  void aFloodOfSizesIsNotKept() throws Exception {
    LinuxResources.Builder resources = LinuxResources.newBuilder();
    for (int i = 0; i < 10_000; i++) {
      resources.addHugepageLimits(HugepageLimit.newBuilder().setPageSize(i + "KB").setLimit(1));
    }
    byte[] bytes =
        CreateContainerRequest.newBuilder()
            .setContainer(
                Container.newBuilder()
                    .setLinux(LinuxContainer.newBuilder().setResources(resources)))
            .build()
            .toByteArray();
    assertThat(Creation.read(bytes).hugepages()).hasSize(100);
  }
}
