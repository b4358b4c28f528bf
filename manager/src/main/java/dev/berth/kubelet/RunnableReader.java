package dev.berth.kubelet;

import dev.berth.cpu.InvalidInputException;
import dev.berth.kubelet.Launch.User;
import dev.berth.workload.Container;
import dev.berth.workload.CpuWish;
import dev.berth.workload.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how a pod is started, and refuses what the embedded runtime cannot do. */
final class RunnableReader {
  private static final long LONGEST_GRACE = Duration.ofDays(7).toSeconds();
  private static final long GRACE = 30;

  /** It becomes a part of the names of files and groups, which have 255 bytes. */
  private static final int LONGEST_UID = 128;

  private static final Set<String> SPEC =
      Set.of(
          "containers",
          "initContainers",
          "resources",
          "restartPolicy",
          "terminationGracePeriodSeconds",
          "securityContext",
          // Always so here: commands run on the host's own root.
          "hostNetwork",
          "hostPID",
          "hostIPC");

  /** Read by a scheduler, the API server or a registry, never by a node's runtime. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "affinity",
          "automountServiceAccountToken",
          "dnsPolicy",
          "enableServiceLinks",
          "imagePullSecrets",
          "nodeName",
          "nodeSelector",
          "preemptionPolicy",
          "priority",
          "priorityClassName",
          "schedulerName",
          "serviceAccount",
          "serviceAccountName",
          "tolerations",
          "topologySpreadConstraints");

  private static final Set<String> CONTAINER =
      Set.of(
          "name",
          "command",
          "args",
          "env",
          "workingDir",
          "resources",
          "restartPolicy",
          "securityContext",
          "image",
          "imagePullPolicy",
          "ports",
          "terminationMessagePath",
          "terminationMessagePolicy");

  private static final Set<String> SECURITY = Set.of("runAsUser", "runAsGroup", "runAsNonRoot");

  private final List<String> warnings = new ArrayList<>();

  private RunnableReader() {}

  static RunnablePod read(PodReader.Read read) {
    return new RunnableReader().pod(read.manifest(), read.object());
  }

  private RunnablePod pod(PodManifest manifest, YamlField object) {
    if (manifest.pod().uid().length() > LONGEST_UID) {
      throw object
          .field("metadata")
          .orElseThrow()
          .error(
              "at most " + LONGEST_UID + " characters of NAMESPACE_NAME or uid",
              String.valueOf(manifest.pod().uid().length()));
    }
    YamlField spec = object.field("spec").orElseThrow();
    spec.keys()
        .forEach((key, place) -> {
          if (NOT_OURS.contains(key)) {
            warnings.add(place + ": spec." + key + " has no meaning on a single node, passed over");
          } else if (!SPEC.contains(key)) {
            throw unable(spec, key, place);
          }
        });
    Optional<YamlField> security = spec.field("securityContext");
    security.ifPresent(RunnableReader::expectUserOnly);
    List<YamlField> containers = new ArrayList<>(list(spec, "initContainers"));
    containers.addAll(list(spec, "containers"));
    List<Launch> launches = new ArrayList<>();
    for (int i = 0; i < containers.size(); i++) {
      Container.Role role = manifest.pod().containers().get(i).role();
      launches.add(launch(containers.get(i), role, security));
    }
    Set<CpuWish> wishes = PodReader.wishes(PodReader.required(object, "metadata"));
    if (manifest.pod().containers().stream().allMatch(c -> shares(manifest.pod(), c))) {
      for (CpuWish wish : wishes) {
        warnings.add(
            manifest.place()
                + ": "
                + wish.annotation()
                + " has no effect, since no container asks for CPUs of its own");
      }
    }
    return new RunnablePod(
        manifest,
        spec.field("restartPolicy").map(RestartPolicy::of).orElse(RestartPolicy.ALWAYS),
        Duration.ofSeconds(
            spec.field("terminationGracePeriodSeconds")
                .map(field -> number(field, LONGEST_GRACE))
                .orElse(GRACE)),
        wishes,
        launches,
        warnings,
        YamlJson.write(object.value()));
  }

  private static boolean shares(Pod pod, Container container) {
    return pod.exclusiveCpus(container) == 0;
  }

  private static InvalidInputException unable(YamlField parent, String key, String place) {
    String shown = YamlField.shown(key);
    YamlField field = new YamlField(parent.path() + "." + shown, place, parent.value());
    return field.error(
        "what the embedded runtime can do", shown + ", which would be without effect");
  }

  private static List<YamlField> list(YamlField spec, String name) {
    return spec.field(name).map(YamlField::items).orElse(List.of());
  }

  private Launch launch(YamlField field, Container.Role role, Optional<YamlField> podSecurity) {
    field
        .keys()
        .forEach((key, place) -> {
          if (!CONTAINER.contains(key)) {
            throw unable(field, key, place);
          }
        });
    String name = field.field("name").orElseThrow().text();
    field
        .field("image")
        .ifPresent(image ->
            warnings.add(
                image.origin()
                    + ": image of container "
                    + name
                    + " is not used: its command runs on the host's own root"));
    Map<String, String> environment = environment(field);
    return new Launch(
        name,
        role,
        command(field, environment),
        environment,
        field.field("workingDir").map(RunnableReader::folder).orElse("/"),
        user(podSecurity, field.field("securityContext")));
  }

  private static List<String> command(YamlField container, Map<String, String> environment) {
    if (list(container, "command").isEmpty()) {
      throw container.error("a command, since no image is there to bring one", "none");
    }
    List<String> words = new ArrayList<>();
    for (String part : List.of("command", "args")) {
      for (YamlField word : list(container, part)) {
        words.add(Expansion.of(clean(word), environment));
      }
    }
    return words;
  }

  private static Map<String, String> environment(YamlField container) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (YamlField variable : list(container, "env")) {
      variable.expectKeys(List.of("name", "value"));
      YamlField name =
          variable.field("name").orElseThrow(() -> variable.error("name in it", "none"));
      // The shell that starts a container hands on no others, and keeps the second sort to itself.
      if (!name.text().matches("[_a-zA-Z][_a-zA-Z0-9]{0,254}")
          || name.text().startsWith("berth_")) {
        throw name.error(
            "a name of letters, digits and _ that begins with no digit and not with berth_");
      }
      String value = variable.field("value").map(RunnableReader::clean).orElse("");
      environment.put(name.text(), Expansion.of(value, environment));
    }
    return environment;
  }

  /** The kernel takes no zero byte in a word. */
  private static String clean(YamlField field) {
    if (field.text().indexOf('\0') >= 0) {
      throw field.error("text without a zero character");
    }
    return field.text();
  }

  private static String folder(YamlField field) {
    if (!clean(field).startsWith("/")) {
      throw field.error("a path from the root on");
    }
    return field.text();
  }

  private static void expectUserOnly(YamlField security) {
    security
        .keys()
        .forEach((key, place) -> {
          if (!SECURITY.contains(key)) {
            throw unable(security, key, place);
          }
        });
  }

  private static Optional<User> user(Optional<YamlField> ofPod, Optional<YamlField> ofContainer) {
    ofContainer.ifPresent(RunnableReader::expectUserOnly);
    Optional<Long> user = security("runAsUser", ofPod, ofContainer).map(RunnableReader::id);
    Optional<Long> group = security("runAsGroup", ofPod, ofContainer).map(RunnableReader::id);
    security("runAsNonRoot", ofPod, ofContainer)
        .filter(YamlField::truth)
        .ifPresent(field -> {
          if (user.orElse(0L) == 0) {
            throw field.error("runAsUser beside it that is not 0", "none such");
          }
        });
    if (group.isPresent() && user.isEmpty()) {
      throw security("runAsGroup", ofPod, ofContainer)
          .orElseThrow()
          .error("runAsUser beside it", "none");
    }
    return user.map(id -> new User(id.intValue(), group.orElse(id).intValue()));
  }

  private static Optional<YamlField> security(
      String name, Optional<YamlField> ofPod, Optional<YamlField> ofContainer) {
    return ofContainer.flatMap(c -> c.field(name)).or(() -> ofPod.flatMap(p -> p.field(name)));
  }

  private static long id(YamlField field) {
    return number(field, Integer.MAX_VALUE);
  }

  private static long number(YamlField field, long greatest) {
    String text = field.text();
    if (!text.matches("0|[1-9][0-9]{0,17}") || Long.parseLong(text) > greatest) {
      throw field.error("a number from 0 to " + greatest);
    }
    return Long.parseLong(text);
  }
}
