package dev.berth.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.berth.cli.Main;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Which package may import which, over both modules. A package named here need not exist yet. */
class ArrowsTest {
  /** The engine, innermost first: a package imports only those before it. */
  private static final List<String> ENGINE =
      List.of("cpu", "topology", "workload", "allocation", "hints", "ledger", "relief");

  /** What anybody may import, and what imports nobody. */
  private static final String COMMON = "json";

  /** The outside world, one package a neighbour: none imports another. */
  private static final List<String> NEIGHBOURS =
      List.of(
          "linux",
          "cgroup",
          "hwloc",
          "render",
          "kubelet",
          "http",
          "protobuf",
          "ttrpc",
          "cri",
          "nri",
          "kube",
          "observe",
          "guest",
          "explain",
          "rpc",
          "podresources",
          "deviceplugin",
          "story",
          "page",
          "terminal");

  /** A protocol that is carried by others, and by which. */
  private static final Map<String, List<String>> CARRIERS =
      Map.of(
          "ttrpc", List.of("protobuf"),
          "nri", List.of("ttrpc", "protobuf"),
          "cri", List.of("rpc"),
          "podresources", List.of("rpc"),
          "deviceplugin", List.of("rpc"));

  /**
   * What drives the engine: from recordings, against the clock, from a workload, on a node, as a
   * show.
   */
  private static final List<String> DRIVERS =
      List.of("replay", "bench", "simulate", "agent", "demo");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.berth");

  static List<String> engine() {
    return ENGINE;
  }

  static List<String> neighbours() {
    return NEIGHBOURS;
  }

  @Test
  void bothModulesAreSeen() {
    assertThat(places()).contains("cpu", "cli");
  }

  @Test
  void everyPackageHasAPlaceInTheHouse() {
    assertThat(places()).isSubsetOf(placed());
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(packages())
        .allSatisfy(p -> assertThat(p.isAnnotatedWith(NullMarked.class)).as(p.getName()).isTrue());
  }

  /** It is set up anew for a single line, from hundreds of classes: Json writes trees. */
  @Test
  void noMapperIsNeeded() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectMapper.class)
        .orShould()
        .callMethodWhere(target(name("toString")).and(target(owner(assignableTo(JsonNode.class)))))
        .check(CLASSES);
  }

  @ParameterizedTest
  @MethodSource("engine")
  void anInnerPackageOfTheEngineImportsNoOuterOne(String inner) {
    String[] allowed =
        Stream.concat(
                ENGINE.subList(0, ENGINE.indexOf(inner) + 1).stream().map(ArrowsTest::within),
                Stream.of("java..", "org.jspecify.annotations"))
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage(within(inner))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void workloadsKnowNothingOfMachines() {
    noClasses()
        .that()
        .resideInAPackage(within("workload"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(within("topology"))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void theEngineTouchesNothingOutsideItself() {
    noClasses()
        .that()
        .resideInAnyPackage(within(ENGINE))
        .should()
        .dependOnClassesThat(Purity.outsideWorld())
        .orShould()
        .callMethodWhere(Purity.clocksChanceAndEnvironment())
        .check(CLASSES);
  }

  @ParameterizedTest
  @MethodSource("neighbours")
  void aNeighbourImportsNoOtherNeighbourAndNobodyWhoWires(String neighbour) {
    List<String> others =
        placed().stream()
            .filter(place -> !ENGINE.contains(place) && !place.equals(neighbour))
            .filter(place -> !place.equals(COMMON))
            .filter(place -> !CARRIERS.getOrDefault(neighbour, List.of()).contains(place))
            .toList();
    noClasses()
        .that()
        .resideInAPackage(within(neighbour))
        .should()
        .dependOnClassesThat(resideInAnyPackage(within(others)))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void whatAnybodyMayImportImportsNobody() {
    noClasses()
        .that()
        .resideInAPackage(within(COMMON))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.berth..").and(not(resideInAnyPackage(within(COMMON)))))
        .check(CLASSES);
  }

  @Test
  void nobodyImportsTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(within("cli"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(within("cli"))
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLineKnowsPicocli() {
    noClasses()
        .that()
        .resideOutsideOfPackage(within("cli"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CLASSES);
  }

  /** The JVM makes a class for each kind of annotation when it is read, at every start. */
  @Test
  void picocliReadsNoAnnotation() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("picocli..").and(assignableTo(Annotation.class)))
        .orShould()
        .callMethodWhere(
            target(owner(resideInAnyPackage("picocli..")))
                .and(target(nameMatching("forAnnotated.*|addMixin|mixinStandard.*|populate.*"))))
        .check(CLASSES);
  }

  /**
   * It takes any object, and looks for annotations on one that is not a description of a command.
   */
  @Test
  void onlyTheEntryMakesACommandLine() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Main.class)
        .should()
        .callConstructorWhere(target(owner(assignableTo(CommandLine.class))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(CommandLine.class))).and(target(name("addSubcommand"))))
        .check(CLASSES);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.berth.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  private static Set<String> placed() {
    return Stream.of(ENGINE, NEIGHBOURS, DRIVERS, List.of(COMMON, "cli"))
        .flatMap(List::stream)
        .collect(Collectors.toSet());
  }

  /** The first word after {@code dev.berth} of every package that holds a class. */
  private static Set<String> places() {
    return packages().stream()
        .map(p -> p.getName().substring("dev.berth.".length()).split("\\.", -1)[0])
        .collect(Collectors.toSet());
  }

  /** All but what is generated, which imports nobody. */
  private static Set<JavaPackage> packages() {
    return CLASSES.stream()
        .map(JavaClass::getPackage)
        .filter(p -> !p.getName().startsWith("dev.berth.protocols"))
        .collect(Collectors.toSet());
  }

  private static String within(String place) {
    return "dev.berth." + place + "..";
  }

  private static String[] within(List<String> places) {
    return places.stream().map(ArrowsTest::within).toArray(String[]::new);
  }
}
