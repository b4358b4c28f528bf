package dev.berth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadReaderTest {
  private static final String SPEC =
      "{containers: [{name: app, resources: {limits: {cpu: 2, memory: 1Gi}}}]}";

  private static String pod(String annotations) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: db, annotations: {"
        + annotations
        + "}}, spec: "
        + SPEC
        + "}";
  }

  private static Workload read(String text) {
    return WorkloadReader.read("w.yaml", text, 7).workload();
  }

  private static List<String> names(Workload workload) {
    return workload.visitors().stream().map(visitor -> visitor.told().name()).toList();
  }

  @Test
  void aPodAloneKeepsItsNameAndStays() {
    Workload workload = read(pod(""));
    assertThat(names(workload)).containsExactly("db");
    assertThat(workload.visits()).containsExactly(new Visit(0, 0, Visit.NEVER));
  }

  @Test
  void copiesAreNumberedAndComeOneAfterTheOther() {
    Workload workload =
        read(
            pod(
                "simulate.berth.dev/count: '3', simulate.berth.dev/arrives: 10s,"
                    + " simulate.berth.dev/every: 1m, simulate.berth.dev/stays: 1m30s"));
    assertThat(names(workload)).containsExactly("db-0", "db-1", "db-2");
    assertThat(workload.visitors())
        .extracting(visitor -> visitor.pod().uid())
        .containsExactly("default_db-0", "default_db-1", "default_db-2");
    assertThat(workload.visits())
        .containsExactly(
            new Visit(0, 10_000, 100_000),
            new Visit(1, 70_000, 160_000),
            new Visit(2, 130_000, 220_000));
    assertThat(workload.lasts()).isEqualTo(220_000);
  }

  @Test
  void chanceIsTheSeedsAlone() {
    String text =
        pod(
            "simulate.berth.dev/count: '2000', simulate.berth.dev/every: poisson 10s,"
                + " simulate.berth.dev/stays: exponential 1m");
    Workload workload = read(text);
    assertThat(workload.visits()).isEqualTo(read(text).visits());
    assertThat(workload.visits())
        .isNotEqualTo(WorkloadReader.read("w", text, 8).workload().visits());
    double gap = workload.visits().getLast().arrives() / 1999.0;
    assertThat(gap).isBetween(9_000.0, 11_000.0);
    double stay =
        workload.visits().stream()
            .mapToLong(visit -> visit.leaves() - visit.arrives())
            .average()
            .orElseThrow();
    assertThat(stay).isBetween(54_000.0, 66_000.0);
  }

  @ParameterizedTest
  @CsvSource({
    "Deployment, replicas, 3",
    "ReplicaSet, replicas, 3",
    "StatefulSet, replicas, 3",
    "Job, parallelism, 3",
    "DaemonSet, anything, 1",
  })
  void whatMakesPodsCountsAsThePodsItMakes(String kind, String field, int count) {
    String text =
        "{apiVersion: apps/v1, kind: %s, metadata: {name: web}, spec: {%s: 3, template: {spec: %s}}}"
            .formatted(kind, field, SPEC);
    assertThat(names(read(text))).hasSize(count).first().isEqualTo("web-0");
  }

  @Test
  void annotationsOfATemplateCountBeforeItsMakers() {
    String text =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, annotations: {simulate.berth.dev/count: '9'}}
        spec:
          replicas: 3
          template:
            metadata: {annotations: {simulate.berth.dev/count: '5'}}
            spec: %s
        """
            .formatted(SPEC);
    assertThat(names(read(text))).hasSize(5);
  }

  @Test
  void listsAreReadAndWhatMakesNoPodsIsPassedOver() {
    String text =
        "{apiVersion: v1, kind: List, items: ["
            + pod("")
            + ", {apiVersion: v1, kind: Service, metadata: {name: s}}]}";
    WorkloadReader.Found found = WorkloadReader.read("w.yaml", text, 1);
    assertThat(names(found.workload())).containsExactly("db");
    assertThat(found.notes())
        .containsExactly("w.yaml:1: passed over a Service, which makes no pods");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          count: '-1'       | expected a number from 0 to 1000000, found "-1"
          count: '1000001'  | expected a number from 0 to 1000000, found "1000001"
          count: many       | expected a number from 0 to 1000000, found "many"
          counts: '2'       | found "simulate.berth.dev/counts", did you mean simulate.berth.dev/count?
          frequency: '2'    | expected one of count, arrives, every, stays, found "simulate.berth.dev/frequency"
          arrives: -3s      | expected a duration such as 10s or 1m30s, found "-3s"
          every: 5          | expected a duration such as 10s or 1m30s, found "5"
          stays: 0s         | expected at least 1ms, found "0s"
          stays: poisson 5m | expected a duration such as 10s or 1m30s, found "poisson 5m"
          """)
  void anAnnotationThatCannotBeReadSaysWhereAndWhat(String annotation, String words) {
    String text = pod("simulate.berth.dev/" + annotation);
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("w.yaml:1: metadata.annotations.simulate.berth.dev/")
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {apiVersion: v1, kind: Podd}                              | w.yaml:1: kind: expected a known kind, found "Podd", did you mean Pod?
          {apiVersion: v1, kind: Service}                           | w.yaml: expected at least one of Pod, List
          {apiVersion: v1, metadata: {name: a}}                     | w.yaml:1: expected kind Pod, or one that makes pods, found none
          {kind: Job, metadata: {name: a}, spec: {}}                | w.yaml:1: spec: expected template in it, found none
          {kind: Pod, metadata: {name: a}, spec: [}                 | w.yaml:1: expected
          {"machineState": {}, "checksum": 1}                       | w.yaml: expected pods, a story or a cpu_manager_state, found a memory_manager_state
          {"policyName": "static", "checksum": 1}                   | w.yaml: expected
          {"story": 1}                                              | w.yaml: expected a story with title, found none
          """)
  void whatIsNoWorkloadSaysSo(String text, String words) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(words);
  }

  @Test
  void theSamePodTwiceIsRefused() {
    Workload one = read(pod(""));
    assertThatThrownBy(() -> one.with(one))
        .hasMessage("workload: expected every pod once, found default/db (uid default_db) again");
    String twice = pod("") + "\n---\n" + pod("");
    assertThatThrownBy(() -> read(twice)).hasMessageContaining("found Pod default/db again");
  }
}
