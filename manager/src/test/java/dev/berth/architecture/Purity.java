package dev.berth.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.List;
import java.util.Set;

/** What a decision must not look at, so that the same question always has the same answer. */
final class Purity {
  private static final List<String> PACKAGES =
      List.of(
          "java.io",
          "java.net",
          "java.nio.channels",
          "java.nio.file",
          "java.util.random",
          "java.util.logging",
          "java.lang.foreign");

  private static final Set<String> CLASSES =
      Set.of(
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.lang.Thread",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.security.SecureRandom",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.Timer",
          "java.util.concurrent.ThreadLocalRandom");

  /** Marks on exceptions, without any input or output. */
  private static final Set<String> HARMLESS = Set.of("java.io.Serializable", "java.io.Serial");

  private static final Set<String> METHODS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.StrictMath.random",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.System.identityHashCode",
          "java.util.Collections.shuffle",
          "java.util.UUID.randomUUID");

  private Purity() {}

  static DescribedPredicate<JavaClass> outsideWorld() {
    return describe("do I/O, tell time, start threads or draw lots", Purity::isOutsideWorld);
  }

  static DescribedPredicate<JavaMethodCall> clocksChanceAndEnvironment() {
    return describe("reads a clock, chance or the environment", Purity::readsTheWorld);
  }

  private static boolean isOutsideWorld(JavaClass type) {
    String name = type.getName();
    return !HARMLESS.contains(name)
        && (CLASSES.contains(name) || PACKAGES.stream().anyMatch(p -> name.startsWith(p + ".")));
  }

  private static boolean readsTheWorld(JavaMethodCall call) {
    String owner = call.getTargetOwner().getName();
    return METHODS.contains(owner + "." + call.getName())
        || (owner.startsWith("java.time.") && call.getName().equals("now"));
  }
}
