package dev.berth.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import dev.berth.workload.QosClass;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuestRequestTest {
  private static final long GIB = 1L << 30;

  private static GuestContainer guest(
      String parent, Allowance allowance, Map<String, String> annotations) {
    return new GuestContainer(
        "u1", "default", "db", "app", "c1", "s1", parent, new TreeMap<>(annotations), allowance);
  }

  private static GuestRequest read(String parent, Allowance allowance) {
    return GuestRequest.of(guest(parent, allowance, Map.of()));
  }

  private static Allowance allowance(long shares, long quota, long memory) {
    return Allowance.of(shares, quota, 100_000, memory, Map.of());
  }

  private static int exclusive(GuestRequest request) {
    return request.pod().exclusiveCpus(request.pod().containers().getFirst());
  }

  @ParameterizedTest
  @CsvSource({
    "/kubepods/podu1, GUARANTEED",
    "/kubepods/burstable/podu1, BURSTABLE",
    "/kubepods/besteffort/podu1, BEST_EFFORT",
    "kubepods-podu1.slice, GUARANTEED",
    "kubepods-burstable-podu1.slice, BURSTABLE",
    "kubepods-besteffort-podu1.slice, BEST_EFFORT",
    "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable-podu1.slice, BURSTABLE",
    "/test/kubepods/pod-besteffort, BEST_EFFORT",
  })
  void theClassIsInTheNameOfTheGroup(String parent, QosClass qos) {
    Allowance all =
        qos == QosClass.BEST_EFFORT ? allowance(2, 0, 0) : allowance(2_048, 200_000, GIB);
    assertThat(read(parent, all).pod().qosClass()).isEqualTo(qos);
  }

  /** Every amount of thousandths that the kubelet can turn into shares is found again. */
  @Test
  void sharesAreReadBackwards() {
    for (long milli = 3; milli <= 64_000; milli++) {
      long shares = milli * 1_024 / 1_000;
      Pod pod = read("/kubepods/burstable/podu1", allowance(shares, 0, 0)).pod();
      Quantity found = pod.containers().getFirst().resources().request(Resources.CPU);
      assertThat(found.millis() * 1_024 / 1_000).as("%d m", milli).isEqualTo(shares);
      if (milli % 1_000 == 0) {
        assertThat(found).as("%d m", milli).isEqualTo(Quantity.of(milli / 1_000));
      }
    }
  }

  @Test
  void wholeCpusOfAGuaranteedContainerAreItsOwn() {
    assertThat(exclusive(read("/kubepods/podu1", allowance(2_048, 200_000, GIB)))).isEqualTo(2);
    assertThat(exclusive(read("/kubepods/podu1", allowance(2_560, 250_000, GIB)))).isZero();
    assertThat(exclusive(read("/kubepods/burstable/podu1", allowance(2_048, 200_000, GIB))))
        .isZero();
  }

  @Test
  void withoutAQuotaTheSharesTell() {
    GuestRequest request = read("/kubepods/podu1", allowance(4_096, 0, GIB));
    assertThat(exclusive(request)).isEqualTo(4);
    assertThat(exclusive(read("/kubepods/podu1", allowance(4_096, -1, GIB)))).isEqualTo(4);
  }

  @Test
  void whatCannotBeKnownIsSaid() {
    GuestRequest request = read("/kubepods/podu1", allowance(2_048, 200_000, 0));
    assertThat(exclusive(request)).isZero();
    assertThat(request.unknown())
        .containsExactly(
            "its group says guaranteed, but the runtime was told no memory limit: it runs on the"
                + " shared pool");
  }

  @Test
  void outsideKubernetesGroupsTheAmountsTellTheClass() {
    assertThat(read("", allowance(0, 200_000, GIB)).pod().qosClass())
        .isEqualTo(QosClass.GUARANTEED);
    assertThat(read("/mine", allowance(1_024, 200_000, GIB)).pod().qosClass())
        .isEqualTo(QosClass.BURSTABLE);
    assertThat(read("", allowance(0, 200_000, 0)).pod().qosClass()).isEqualTo(QosClass.BURSTABLE);
    assertThat(read("", Allowance.UNTOLD).pod().qosClass()).isEqualTo(QosClass.BEST_EFFORT);
  }

  @Test
  void hugepagesAndAnnotatedDevicesAreAskedFor() {
    Allowance allowance =
        Allowance.of(
            2_048, 200_000, 100_000, GIB, Map.of("2MB", 4L << 20, "64KB", 1L << 16, "1GB", 0L));
    Resources resources =
        GuestRequest.of(
                guest(
                    "/kubepods/podu1",
                    allowance,
                    Map.of(GuestRequest.ANNOTATION + "app", "example.com/nic=1, ")))
            .pod()
            .containers()
            .getFirst()
            .resources();
    assertThat(resources.requests())
        .containsOnly(
            Map.entry("cpu", Quantity.of(2)),
            Map.entry("memory", Quantity.of(GIB)),
            Map.entry("hugepages-2Mi", Quantity.of(4L << 20)),
            Map.entry("hugepages-64Ki", Quantity.of(1L << 16)),
            Map.entry("example.com/nic", Quantity.of(1)));
  }

  @Test
  void aBurstableContainerStaysOneWhateverItsOwnLimits() {
    GuestRequest request = read("/kubepods/burstable/podu1", allowance(2, 0, GIB));
    assertThat(request.pod().qosClass()).isEqualTo(QosClass.BURSTABLE);
  }

  private static void assertRefused(
      String parent, Allowance allowance, String annotation, String line) {
    GuestContainer guest =
        guest(parent, allowance, Map.of(GuestRequest.ANNOTATION + "app", annotation));
    assertThatThrownBy(() -> GuestRequest.of(guest))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("annotation resources.berth.dev/app: expected " + line);
  }

  @Test
  void itsPodSaysWhetherItsCpusStayAwake() {
    Allowance all = allowance(1_024, 100_000, GIB);
    assertThat(guest("/kubepods/podu1", all, Map.of()).wishes()).isEmpty();
    GuestContainer awake =
        guest("/kubepods/podu1", all, Map.of(CpuWish.AWAKE.annotation(), "true"));
    assertThat(awake.wishes()).containsExactly(CpuWish.AWAKE);
    assertThat(awake.withQuota(-1).wishes()).containsExactly(CpuWish.AWAKE);
    assertThat(guest("/kubepods/podu1", all, Map.of(CpuWish.AWAKE.annotation(), "false")).wishes())
        .isEmpty();
    String hostile = "x\n".repeat(500_000);
    assertThatThrownBy(
            () -> guest("/kubepods/podu1", all, Map.of(CpuWish.AWAKE.annotation(), hostile)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "annotation cpus.berth.dev/awake: expected true or false, found \""
                + "x?".repeat(30)
                + "…\"");
  }

  @Test
  void anAnnotationSaysCpusAndMemoryWhereNobodyElseDoes() {
    Map<String, String> annotations = Map.of(GuestRequest.ANNOTATION + "app", "cpu=3,memory=1Gi");
    GuestRequest alone = GuestRequest.of(guest("/mine", allowance(2, 0, 0), annotations));
    assertThat(alone.pod().qosClass()).isEqualTo(QosClass.GUARANTEED);
    assertThat(exclusive(alone)).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "/kubepods/podu1, 2, 0, 0, cpu=8",
    "/kubepods/burstable/podu1, 2, 0, 0, memory=1Gi",
    "kubepods-besteffort-podu1.slice, 2, 0, 0, cpu=1",
    "/mine, 1024, 0, 0, cpu=8",
    "/mine, 2, 100000, 0, cpu=8",
    "/mine, 2, 0, 1024, memory=1Gi",
  })
  void anAnnotationNeverOverridesWhatARuntimeOrKubernetesSays(
      String parent, long shares, long quota, long memory, String annotation) {
    assertRefused(
        parent,
        allowance(shares, quota, memory),
        annotation,
        "cpu and memory only outside kubepods, of a container whose runtime was told none, found \""
            + annotation
            + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "nic, RESOURCE=AMOUNT",
    "example.com/nic=1=2, RESOURCE=AMOUNT",
    "nic=1, a resource such as vendor.example/nic",
    "=1, a resource such as vendor.example/nic",
    "hugepages-2Mi=1Gi, a resource such as vendor.example/nic",
    "/nic=1, a resource such as vendor.example/nic",
    "example.com/=1, a resource such as vendor.example/nic",
    "a/b/c=1, a resource such as vendor.example/nic",
    "example.com/nic=0, a whole number above 0",
    "example.com/nic=0.5, a whole number above 0",
    "example.com/nic=1500m, a whole number above 0",
    "example.com/nic=-1, an amount",
    "example.com/nic=1e30, an amount",
    "example.com/nic=, an amount",
    "cpu=0, more than 0",
    "memory=many, an amount",
  })
  void aWrongAnnotationIsNamed(String annotation, String expected) {
    assertRefused("", Allowance.UNTOLD, annotation, expected + ", found \"" + annotation + "\"");
  }

  @Test
  void anAnnotationNamesAResourceOnceAndIsShownInOneLine() {
    assertRefused(
        "",
        Allowance.UNTOLD,
        "example.com/nic=1, example.com/nic=2",
        "each resource once, found \"example.com/nic=2\"");
    assertRefused("", Allowance.UNTOLD, "a\nb", "RESOURCE=AMOUNT, found \"a?b\"");
    assertRefused(
        "",
        Allowance.UNTOLD,
        "x".repeat(100),
        "RESOURCE=AMOUNT, found \"" + "x".repeat(80) + "…\"");
  }

  @Test
  void aNameThatWouldBeAnotherIsRefused() {
    assertThatThrownBy(() ->
            new GuestContainer(
                "u/1", "n", "p", "app", "c", "s", "", new TreeMap<>(), Allowance.UNTOLD))
        .hasMessageContaining(
            "pod uid: expected a name without \"/\" of at most 253 characters, found \"u/1\"");
    assertThatThrownBy(() ->
            new GuestContainer("u1", "n", "p", "", "c", "s", "", new TreeMap<>(), Allowance.UNTOLD))
        .isInstanceOf(InvalidInputException.class);
  }
}
