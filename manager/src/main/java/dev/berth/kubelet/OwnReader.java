package dev.berth.kubelet;

import dev.berth.cpu.NodeSet;
import dev.berth.kubelet.OwnSettings.CpuPartition;
import dev.berth.kubelet.OwnSettings.LogFormat;
import dev.berth.ledger.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads what stands under {@code berth:}. */
final class OwnReader {
  static final List<String> KEYS =
      List.of(
          "allowEmptySharedPool",
          "partition",
          "manifests",
          "devices",
          "devicePlugins",
          "podResources",
          "logFormat",
          "containerLogMaxSize",
          "httpNames");

  private OwnReader() {}

  static OwnSettings read(YamlField berth) {
    berth.expectKeys(KEYS);
    return new OwnSettings(
        berth.field("allowEmptySharedPool").map(YamlField::truth).orElse(false),
        berth
            .field("partition")
            .map(field -> word(field, CpuPartition.class))
            .orElse(CpuPartition.MEMBER),
        berth.field("manifests").map(field -> path(field, "folder")),
        berth.field("devices").map(OwnReader::devices).orElse(List.of()),
        berth.field("devicePlugins").map(field -> path(field, "folder")),
        berth.field("podResources").map(field -> path(field, "socket")),
        berth.field("logFormat").map(field -> word(field, LogFormat.class)).orElse(LogFormat.TEXT),
        berth
            .field("containerLogMaxSize")
            .map(Quantities::bytes)
            .orElse(OwnSettings.DEFAULTS.containerLogMaxSize()),
        berth.field("httpNames").map(OwnReader::names).orElse(List.of()));
  }

  private static <E extends Enum<E>> E word(YamlField field, Class<E> type) {
    List<String> words = new ArrayList<>();
    for (E value : type.getEnumConstants()) {
      String word = value.name().toLowerCase(Locale.ROOT);
      if (word.equals(field.text())) {
        return value;
      }
      words.add(word);
    }
    throw field.error(String.join(" or ", words));
  }

  private static Path path(YamlField field, String what) {
    if (!field.text().startsWith("/") || field.text().indexOf('\0') >= 0) {
      throw field.error("a " + what + ", from the root on");
    }
    return Path.of(field.text());
  }

  private static List<String> names(YamlField list) {
    List<String> names = new ArrayList<>();
    for (YamlField item : list.items()) {
      if (!item.text().matches("[A-Za-z0-9]([-A-Za-z0-9.]{0,251}[A-Za-z0-9])?")) {
        throw item.error("a host name such as node1.example");
      }
      names.add(item.text());
    }
    return names;
  }

  private static List<Device> devices(YamlField list) {
    List<Device> devices = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (YamlField item : list.items()) {
      item.expectKeys(List.of("resource", "id", "numaNodes"));
      YamlField resource =
          item.field("resource").orElseThrow(() -> item.error("resource in it", "none"));
      if (!resource
          .text()
          .matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?")) {
        throw resource.error("a name such as vendor.example/nic");
      }
      YamlField id = item.field("id").orElseThrow(() -> item.error("id in it", "none"));
      if (!id.text().matches("[!-+\\--~]{1,253}")) {
        throw id.error("1 to 253 printable characters without blanks and commas");
      }
      if (!seen.add(resource.text() + " " + id.text())) {
        throw id.error("every device once", "\"" + id.text() + "\" again");
      }
      NodeSet nodes =
          item.field("numaNodes").map(field -> field.as(NodeSet::parse)).orElse(NodeSet.EMPTY);
      devices.add(new Device(resource.text(), id.text(), nodes, true));
    }
    return devices;
  }
}
