package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.observe.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The files under {@code deploy} and the document on metrics go with the agent as it is. */
class DeployTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Pattern METRIC = Pattern.compile("\\b(berth|kubelet|process)_[a-z0-9_]+");

  private final List<Family> families = new Metrics("0").registry().families();

  /** All names that a collector may see. */
  private Set<String> names() {
    Set<String> names = new HashSet<>();
    for (Family family : families) {
      names.add(family.name());
      if (family.type().equals("histogram")) {
        List.of("_bucket", "_sum", "_count").forEach(end -> names.add(family.name() + end));
      }
    }
    return names;
  }

  private static Set<String> metricsIn(String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = METRIC.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static String file(String name) throws IOException {
    return Files.readString(DEPLOY.resolve(name));
  }

  @Test
  void theDocumentListsEveryMetricWithTypeAndLabelsAndNoOther() throws IOException {
    List<String> documented =
        Files.readString(Path.of("../docs/metrics.md"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf("|", ordinal(line, 3))))
            .map(String::strip)
            .toList();
    List<String> registered =
        families.stream()
            .map(family ->
                "| `"
                    + family.name()
                    + "` | "
                    + family.type()
                    + " | "
                    + family.labels().stream()
                        .map(label -> "`" + label + "`")
                        .collect(Collectors.joining(", ")))
            .map(String::strip)
            .toList();
    assertThat(documented).containsExactlyElementsOf(registered);
  }

  /** Where the text behind a line's so many first bars begins. */
  private static int ordinal(String line, int bars) {
    int at = 0;
    for (int i = 0; i < bars; i++) {
      at = line.indexOf('|', at) + 1;
    }
    return at;
  }

  @Test
  void everyMetricHasASentence() {
    assertThat(families).allMatch(family -> family.help().endsWith("."));
  }

  @Test
  void alertsAreRulesOverMetricsThatThereAre() throws IOException {
    Object yaml = new Load(LoadSettings.builder().build()).loadFromString(file("alerts.yaml"));
    JsonNode rules = new ObjectMapper().valueToTree(yaml).path("groups").path(0).path("rules");
    assertThat(rules).hasSizeGreaterThanOrEqualTo(6);
    Set<String> alerts = new HashSet<>();
    for (JsonNode rule : rules) {
      String name = rule.path("alert").asString();
      assertThat(alerts.add(name)).as(name).isTrue();
      assertThat(rule.path("annotations").path("summary").asString()).as(name).isNotEmpty();
      assertThat(rule.path("labels").path("severity").asString())
          .as(name)
          .isIn("critical", "warning", "info");
      String expression = rule.path("expr").asString();
      assertThat(metricsIn(expression)).as(name).isSubsetOf(names());
      assertThat(expression).as(name).matches("(?s).*(_[a-z]|up\\{).*[<>=]=? *[0-9.]+");
    }
    assertThat(metricsIn(file("alerts.yaml")))
        .contains(
            "berth_reconcile_repairs_total",
            "berth_group_write_failures_total",
            "berth_ready",
            "berth_shared_cpus",
            "berth_displaced_pods");
  }

  @Test
  void theDashboardShowsMetricsThatThereAre() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(file("dashboard.json"));
    List<String> expressions = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as(panel.path("title").asString()).isTrue();
      panel.path("targets").forEach(target -> expressions.add(target.path("expr").asString()));
    }
    assertThat(expressions).hasSizeGreaterThan(15);
    assertThat(expressions)
        .allSatisfy(
            expression -> assertThat(metricsIn(expression)).isNotEmpty().isSubsetOf(names()));
  }

  private static Map<String, String> service() throws IOException {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String line : file("berth.service").lines().toList()) {
      int equals = line.indexOf('=');
      if (!line.startsWith("#") && equals > 0) {
        keys.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return keys;
  }

  @Test
  void theUnitKeepsContainersAliveAndItsSubtreeOurs() throws IOException {
    assertThat(service())
        .containsEntry("Delegate", "yes")
        .containsEntry("KillMode", "process")
        .containsEntry("Restart", "always")
        .containsEntry("RuntimeDirectoryPreserve", "yes")
        .containsEntry("ExecReload", "/bin/kill -HUP $MAINPID")
        .containsEntry("TasksMax", "infinity")
        .doesNotContainKeys(
            "ProtectSystem", "PrivateTmp", "NoNewPrivileges", "OOMScoreAdjust", "PrivateDevices");
    assertThat(service().get("ExecStart")).contains(" agent ");
  }

  @Test
  void systemdUnderstandsTheUnit(@TempDir Path folder) throws Exception {
    Path tool = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(tool), "needs systemd-analyze");
    Path unit = folder.resolve("berth.service");
    // Where Berth is not installed, the unit's program is not there either.
    Files.writeString(unit, file("berth.service").replace("/usr/local/bin/berth", "/bin/true"));
    Process verify =
        new ProcessBuilder(tool.toString(), "verify", "--man=no", unit.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = verify.waitFor();
    // A systemd before 254 does not know that key, and units of others are none of our business.
    assertThat(
            said.lines()
                .filter(line -> line.contains("berth.service"))
                .filter(line -> !line.contains("DelegateSubgroup")))
        .as(said)
        .isEmpty();
    assertThat(code).as(said).isZero();
  }

  @Test
  void theDocumentSaysWhyEachLineOfTheUnitStandsThere() throws IOException {
    String unit = file("berth.service");
    List<String> settings =
        unit.substring(unit.indexOf("[Service]"), unit.indexOf("[Install]"))
            .lines()
            .filter(line -> line.matches("[A-Z][A-Za-z]+=.*"))
            .toList();
    String table =
        Files.readString(Path.of("../docs/operating.md"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .collect(Collectors.joining("\n"));
    assertThat(settings).hasSizeGreaterThan(20);
    for (String setting : settings) {
      String name = setting.substring(0, setting.indexOf('='));
      // A value that is a word stands there too, so that the two cannot drift apart.
      boolean word = setting.matches(".*=[A-Za-z0-9]+") && !setting.endsWith("=berth");
      assertThat(table).contains("`" + (word ? setting : name) + "`");
    }
  }
}
