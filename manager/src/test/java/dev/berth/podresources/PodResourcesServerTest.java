package dev.berth.podresources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.CpuSet;
import dev.berth.cpu.NodeSet;
import dev.berth.ledger.Device;
import dev.berth.ledger.MemoryBlock;
import dev.berth.podresources.PodResourcesListener.Call;
import dev.berth.podresources.ResourcesSnapshot.Allocatable;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.podresources.ResourcesSnapshot.PodShare;
import dev.berth.protocols.podresources.AllocatableResourcesRequest;
import dev.berth.protocols.podresources.ContainerDevices;
import dev.berth.protocols.podresources.GetPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesRequest;
import dev.berth.protocols.podresources.ListPodResourcesResponse;
import dev.berth.protocols.podresources.NUMANode;
import dev.berth.protocols.podresources.PodResourcesListerGrpc;
import dev.berth.protocols.podresources.PodResourcesListerGrpc.PodResourcesListerBlockingStub;
import dev.berth.rpc.RpcClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodResourcesServerTest {
  private static final String GPU = "vendor.example/gpu";

  static final ResourcesSnapshot SNAPSHOT =
      new ResourcesSnapshot(
          List.of(
              new PodShare(
                  "default",
                  "web",
                  List.of(
                      new ContainerShare(
                          "app",
                          CpuSet.of(2, 3),
                          List.of(new MemoryBlock(NodeSet.of(0, 1), "memory", 1L << 30)),
                          List.of(Device.of(GPU, "gpu-0", 0, 1), Device.of(GPU, "gpu-1"))),
                      new ContainerShare("log", CpuSet.EMPTY, List.of(), List.of()))),
              new PodShare("kube-system", "web", List.of())),
          new Allocatable(
              CpuSet.of(1, 2, 3),
              List.of(new MemoryBlock(NodeSet.of(1), "hugepages-2Mi", 4L << 20)),
              List.of(Device.of(GPU, "gpu-1"))));

  @TempDir private Path folder;
  private final List<String> told = new CopyOnWriteArrayList<>();
  private boolean broken;
  private PodResourcesServer server;
  private RpcClient client;
  private PodResourcesListerBlockingStub stub;

  @BeforeEach
  void start() throws IOException {
    Path socket = folder.resolve("kubelet.sock");
    server = PodResourcesServer.start(socket, this::now, listener());
    client = RpcClient.of(socket);
    stub = PodResourcesListerGrpc.newBlockingStub(client.channel());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private ResourcesSnapshot now() {
    if (broken) {
      throw new IllegalStateException("the agent\nis ending");
    }
    return SNAPSHOT;
  }

  private PodResourcesListener listener() {
    return new PodResourcesListener() {
      @Override
      public void requested(Call call) {
        told.add(call.requests());
      }

      @Override
      public void failed(Call call) {
        told.add(call.errors());
      }

      @Override
      public void log(String line) {
        told.add(line);
      }
    };
  }

  private ListPodResourcesResponse list() {
    return stub.list(ListPodResourcesRequest.getDefaultInstance());
  }

  private String get(String namespace, String name) {
    var pod =
        stub.get(
                GetPodResourcesRequest.newBuilder()
                    .setPodNamespace(namespace)
                    .setPodName(name)
                    .build())
            .getPodResources();
    return pod.getNamespace() + "/" + pod.getName() + " " + pod.getContainersCount();
  }

  @Test
  void listTellsWhatEveryContainerHas() {
    ListPodResourcesResponse response = list();
    assertThat(response.getPodResourcesList())
        .extracting(pod -> pod.getNamespace() + "/" + pod.getName())
        .containsExactly("default/web", "kube-system/web");
    var app = response.getPodResources(0).getContainers(0);
    assertThat(app.getName()).isEqualTo("app");
    assertThat(app.getCpuIdsList()).containsExactly(2L, 3L);
    assertThat(app.getMemory(0).getMemoryType()).isEqualTo("memory");
    assertThat(app.getMemory(0).getSize()).isEqualTo(1L << 30);
    assertThat(app.getMemory(0).getTopology().getNodesList())
        .extracting(NUMANode::getID)
        .containsExactly(0L, 1L);
    assertThat(response.getPodResources(0).getContainers(1).getCpuIdsList()).isEmpty();
  }

  @Test
  void aDeviceIsToldOnceForEachNodeThatItIsNear() {
    assertThat(list().getPodResources(0).getContainers(0).getDevicesList())
        .extracting(PodResourcesServerTest::text)
        .containsExactly("gpu-0 at 0", "gpu-0 at 1", "gpu-1 nowhere");
  }

  private static String text(ContainerDevices devices) {
    String ids = String.join(",", devices.getDeviceIdsList());
    return devices.hasTopology()
        ? ids + " at " + devices.getTopology().getNodes(0).getID()
        : ids + " nowhere";
  }

  @Test
  void allocatableTellsWhatPodsCanBeGiven() {
    var response = stub.getAllocatableResources(AllocatableResourcesRequest.getDefaultInstance());
    assertThat(response.getCpuIdsList()).containsExactly(1L, 2L, 3L);
    assertThat(response.getMemory(0).getMemoryType()).isEqualTo("hugepages-2Mi");
    assertThat(response.getDevices(0).getResourceName()).isEqualTo(GPU);
    assertThat(told).containsExactly("kubelet_pod_resources_endpoint_requests_get_allocatable");
  }

  @Test
  void getTellsOfOnePodByNamespaceAndName() {
    assertThat(get("default", "web")).isEqualTo("default/web 2");
    assertThat(get("kube-system", "web")).isEqualTo("kube-system/web 0");
    assertThat(told)
        .containsExactly(
            "kubelet_pod_resources_endpoint_requests_get",
            "kubelet_pod_resources_endpoint_requests_get");
  }

  @Test
  void aPodThatIsNotThereIsAnErrorInTheKubeletsWords() {
    assertThatThrownBy(() -> get("default", "db"))
        .hasMessage("UNKNOWN: pod db in namespace default not found");
    assertThat(told)
        .containsExactly(
            "kubelet_pod_resources_endpoint_requests_get",
            "kubelet_pod_resources_endpoint_errors_get");
  }

  @Test
  void whoCannotTellIsOneLineForClientAndLog() {
    broken = true;
    assertThatThrownBy(this::list).hasMessage("UNKNOWN: the agent is ending");
    assertThat(told)
        .containsExactly(
            "kubelet_pod_resources_endpoint_requests_list",
            "podresources: expected what the pods have, found the agent is ending",
            "kubelet_pod_resources_endpoint_errors_list");
  }

  @Test
  void callsAreLimitedAsInTheKubelet() {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                list();
              }
            })
        .hasMessage("RESOURCE_EXHAUSTED: rejected by rate limit");
    assertThat(Call.REQUESTS_TOTAL).isEqualTo("kubelet_pod_resources_endpoint_requests_total");
  }
}
