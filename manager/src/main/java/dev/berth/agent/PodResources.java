package dev.berth.agent;

import dev.berth.ledger.Node;
import dev.berth.podresources.PodResourcesListener;
import dev.berth.podresources.PodResourcesServer;
import dev.berth.podresources.ResourcesSnapshot;
import dev.berth.podresources.ResourcesSnapshot.ContainerShare;
import dev.berth.podresources.ResourcesSnapshot.NamedPod;
import dev.berth.podresources.ResourcesSnapshot.PodShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Tells others who has what, as a kubelet does. */
final class PodResources {
  /** A pod: one that leaves and its successor may have the same name. */
  private record Key(String namespace, String name, String uid) {
    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::namespace).thenComparing(Key::name).thenComparing(Key::uid);
  }

  private PodResources() {}

  static PodResourcesServer serve(
      Path socket,
      Loop loop,
      Books books,
      Household household,
      Metrics metrics,
      Consumer<String> log)
      throws IOException {
    Path folder = socket.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    return PodResourcesServer.start(
        socket,
        () -> loop.call(() -> snapshot(books.node(), household)),
        new PodResourcesListener() {
          @Override
          public void requested(Call call) {
            loop.submit(() -> metrics.devices().requested(call));
          }

          @Override
          public void failed(Call call) {
            loop.submit(() -> metrics.devices().failed(call));
          }

          @Override
          public void log(String line) {
            log.accept(line);
          }
        });
  }

  /** On the loop. Containers that are pods of their own here are together in their pods. */
  static ResourcesSnapshot snapshot(Node node, Household household) {
    List<NamedPod> named = new ArrayList<>();
    List<Key> keys = new ArrayList<>();
    for (Resident resident : household.residents().all()) {
      if (!resident.life().phase().isOver()) {
        named.add(new NamedPod(resident.namespace(), resident.name(), resident.request()));
        keys.add(new Key(resident.namespace(), resident.name(), podUid(resident)));
      }
    }
    ResourcesSnapshot apart = ResourcesSnapshot.of(node, named);
    SortedMap<Key, List<ContainerShare>> pods = new TreeMap<>(Key.ORDER);
    for (int i = 0; i < keys.size(); i++) {
      pods.computeIfAbsent(keys.get(i), _ -> new ArrayList<>())
          .addAll(apart.pods().get(i).containers());
    }
    List<PodShare> together = new ArrayList<>();
    pods.forEach(
        (pod, containers) -> together.add(new PodShare(pod.namespace(), pod.name(), containers)));
    return new ResourcesSnapshot(together, apart.allocatable());
  }

  private static String podUid(Resident resident) {
    return switch (resident) {
      case Guest guest -> guest.container().podUid();
      case Tenant tenant -> tenant.uid();
    };
  }
}
