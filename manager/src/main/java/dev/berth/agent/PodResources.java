package dev.berth.agent;

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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Tells others who has what, as a kubelet does. */
final class PodResources {
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
        () -> loop.call(() -> snapshot(books, household)),
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
  private static ResourcesSnapshot snapshot(Books books, Household household) {
    List<NamedPod> named = new ArrayList<>();
    for (Resident resident : household.residents().all()) {
      if (!resident.life().phase().isOver()) {
        named.add(new NamedPod(resident.namespace(), resident.name(), resident.request()));
      }
    }
    ResourcesSnapshot apart = ResourcesSnapshot.of(books.node(), named);
    Map<List<String>, List<ContainerShare>> pods = new TreeMap<>(PodResources::byNames);
    for (PodShare share : apart.pods()) {
      pods.computeIfAbsent(List.of(share.namespace(), share.name()), _ -> new ArrayList<>())
          .addAll(share.containers());
    }
    List<PodShare> together = new ArrayList<>();
    pods.forEach((names, containers) ->
        together.add(new PodShare(names.getFirst(), names.getLast(), containers)));
    return new ResourcesSnapshot(together, apart.allocatable());
  }

  private static int byNames(List<String> a, List<String> b) {
    int namespaces = a.getFirst().compareTo(b.getFirst());
    return namespaces != 0 ? namespaces : a.getLast().compareTo(b.getLast());
  }
}
