package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ledger.TopologySettings.Policy;
import dev.berth.ledger.TopologySettings.Scope;
import dev.berth.topology.Machine;
import dev.berth.workload.Container;
import dev.berth.workload.Pod;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever a refusal says would help does help: each line is read as a person would, and done on a
 * node of its own.
 */
class WhatIfPropertyTest {
  private static final long SEED = Long.getLong("berth.seed", 20261119L);
  private static final Pattern LEAVING =
      Pattern.compile("fits if pod (.+?)(?: or one of \\d+ more)? leaves");
  private static final Pattern SCOPE = Pattern.compile("fits with scope (\\w+)");
  private static final Pattern POLICY = Pattern.compile("fits with topology policy ([\\w-]+)");
  private static final Pattern OPTION = Pattern.compile("fits without the CPU option (.+)");
  private static final Pattern SIZE =
      Pattern.compile(
          "fits with (\\d+)(?: or (\\d+))? CPUs?(?: for container ([\\w-]+))? instead of (\\d+)");

  private static final Pattern MEMORY =
      Pattern.compile(
          "fits with (\\w+) of ([\\w-]+)(?: for container ([\\w-]+))? instead of (\\w+)");

  private static final Pattern DEVICES =
      Pattern.compile(
          "fits with (\\d+) ([\\w.]+/\\w+)(?: for container ([\\w-]+))? instead of (\\d+)");

  private final Map<String, Integer> seen = new TreeMap<>();

  @Test
  void whatIsSaidToFitFits() {
    run(2_000);
  }

  @Test
  @Tag("slow")
  void whatIsSaidToFitFitsInManyCases() {
    run(Long.getLong("berth.steps", 20_000));
  }

  private void run(long refusals) {
    long refused = 0;
    for (long seed = SEED; refused < refusals; seed++) {
      RandomMemory made = new RandomMemory(new Random(seed));
      Machine machine = made.machine();
      Node node = Node.start(machine, made.configuration(machine));
      // Seeds that follow each other begin alike, so they are drawn apart.
      Random dice = new Random(seed * 0x9E3779B97F4A7C15L);
      boolean hasDevices = seed % 2 == 0;
      if (hasDevices) {
        node.devices(devices(machine, dice));
      }
      for (int step = 0; step < 25; step++) {
        Pod pod = hasDevices ? withDevices(made.pod(), dice) : made.pod();
        if (node.admit(pod) instanceof Decision.Refused refusal) {
          refused++;
          List<String> lines = refusal.why().lines().stream().map(String::strip).toList();
          try {
            new Claims(node, pod).check(lines);
          } catch (AssertionError e) {
            throw new AssertionError(
                "-Dberth.seed=" + seed + ": " + pod.containers() + "\n" + refusal.why(), e);
          }
        }
      }
    }
    System.out.printf("%d refusals from seed %d: %s%n", refused, SEED, seen);
    assertThat(seen.keySet())
        .containsExactly(
            "devices",
            "empty",
            "leaving",
            "memory",
            "nothing",
            "option",
            "policy",
            "scope",
            "size",
            "size of one");
    assertThat(seen.values()).allMatch(count -> count >= refusals / 200);
  }

  /** Some near one NUMA node, some near none, some ill. */
  private static List<Device> devices(Machine machine, Random dice) {
    List<Device> devices = new ArrayList<>();
    for (int i = dice.nextInt(12); i >= 0; i--) {
      int near = machine.nodes().get(dice.nextInt(machine.nodes().size())).id();
      Device device =
          dice.nextInt(6) == 0
              ? Device.of(DevicePods.NIC, "nic-" + i)
              : Device.of(DevicePods.NIC, "nic-" + i, near);
      devices.add(device.withHealth(dice.nextInt(8) > 0));
    }
    return devices;
  }

  /** What containers ask for beside a budget of the pod stays as it is. */
  private static Pod withDevices(Pod pod, Random dice) {
    if (pod.budget().isPresent()) {
      return pod;
    }
    List<Container> containers =
        pod.containers().stream()
            .map(one ->
                dice.nextInt(3) == 0
                    ? resized(one, DevicePods.NIC, Quantity.of(1 + dice.nextInt(4)))
                    : one)
            .toList();
    return Pod.of(pod.uid(), containers);
  }

  private static Container resized(Container container, String resource, Quantity amount) {
    Map<String, Quantity> requests = new LinkedHashMap<>(container.resources().requests());
    Map<String, Quantity> limits = new LinkedHashMap<>(container.resources().limits());
    requests.put(resource, amount);
    limits.put(resource, amount);
    return new Container(container.name(), container.role(), new Resources(requests, limits));
  }

  /** What was said of one refusal. */
  private final class Claims {
    private final Node node;
    private final Pod pod;

    Claims(Node node, Pod pod) {
      this.node = node;
      this.pod = pod;
    }

    void check(List<String> lines) {
      boolean never = lines.contains("it would not fit on this machine even if it were empty");
      boolean nothing =
          lines.contains(
              "no single pod's leaving, no other scope, policy, option or amount makes room for"
                  + " it");
      boolean leaving = false;
      for (String line : lines) {
        leaving |= leaving(line);
        scope(line);
        policy(line);
        option(line);
        size(line);
        memory(line);
        devices(line);
      }
      count("empty", never);
      count("nothing", nothing);
      if (never) {
        assertThat(fits(then().startEmpty(node.machine(), node.configuration()), pod)).isFalse();
      }
      if (!leaving) {
        then()
            .pods()
            .forEach(other -> assertThat(fitsWithout(other)).as(other + " leaving").isFalse());
      }
    }

    private void count(String kind, boolean isThere) {
      if (isThere) {
        seen.merge(kind, 1, Integer::sum);
      }
    }

    private Snapshot then() {
      return new Snapshot(
          node.assignments(),
          node.memoryAssignments(),
          node.ledgers().devices().stocks(),
          node.deviceAssignments(),
          List.of());
    }

    private Node then(Configuration configuration) {
      return then().start(node.machine(), configuration);
    }

    private static boolean fits(Node on, Pod candidate) {
      return on.admit(candidate) instanceof Decision.Granted;
    }

    private boolean fitsWithout(String other) {
      Node there = then(node.configuration());
      there.remove(other);
      return fits(there, pod);
    }

    private boolean leaving(String line) {
      Matcher matcher = LEAVING.matcher(line);
      if (!matcher.matches()) {
        return false;
      }
      for (String other : matcher.group(1).split(" or ", -1)) {
        assertThat(fitsWithout(other)).as(line + ": " + other).isTrue();
      }
      count("leaving", true);
      return true;
    }

    private void scope(String line) {
      Matcher matcher = SCOPE.matcher(line);
      if (matcher.matches()) {
        TopologySettings now = node.configuration().topology();
        tried(
            line, new TopologySettings(now.policy(), Scope.named(matcher.group(1)), now.options()));
        count("scope", true);
      }
    }

    private void policy(String line) {
      Matcher matcher = POLICY.matcher(line);
      if (matcher.matches()) {
        TopologySettings now = node.configuration().topology();
        tried(
            line, new TopologySettings(Policy.named(matcher.group(1)), now.scope(), now.options()));
        count("policy", true);
      }
    }

    private void option(String line) {
      Matcher matcher = OPTION.matcher(line);
      if (matcher.matches()) {
        for (String name : matcher.group(1).split(", or without ", -1)) {
          Configuration without = node.configuration().withOption(name, "false");
          assertThat(without.optionsOn()).doesNotContain(name);
          assertThat(fits(then(without), pod)).as(line).isTrue();
        }
        count("option", true);
      }
    }

    private void tried(String line, TopologySettings changed) {
      assertThat(fits(then(node.configuration().with(changed)), pod)).as(line).isTrue();
    }

    /** Those that are named fit, and the next larger than the smaller one does not. */
    private void size(String line) {
      Matcher matcher = SIZE.matcher(line);
      if (!matcher.matches()) {
        return;
      }
      int asked = Integer.parseInt(matcher.group(4));
      Optional<String> name = Optional.ofNullable(matcher.group(3));
      int first = Integer.parseInt(matcher.group(1));
      assertThat(fitsWith(name, Resources.CPU, first)).as(line).isTrue();
      if (first + 1 < asked) {
        assertThat(fitsWith(name, Resources.CPU, first + 1)).as(line + ": one more").isFalse();
      }
      if (matcher.group(2) != null) {
        int second = Integer.parseInt(matcher.group(2));
        assertThat(fitsWith(name, Resources.CPU, second)).as(line).isTrue();
      }
      boolean several =
          pod.containers().stream().filter(one -> pod.exclusiveCpus(one) > 0).count() > 1;
      count(several ? "size of one" : "size", true);
    }

    private void memory(String line) {
      Matcher matcher = MEMORY.matcher(line);
      if (matcher.matches()) {
        String resource = matcher.group(2);
        Optional<String> name = Optional.ofNullable(matcher.group(3));
        long asked = Quantity.parse(matcher.group(4)).value();
        long less = Quantity.parse(matcher.group(1)).value();
        long unit =
            resource.equals("memory")
                ? 1 << 20
                : Quantity.parse(resource.substring("hugepages-".length())).value();
        assertThat(less).as(line).isLessThan(asked);
        assertThat(fitsWith(name, resource, less)).as(line).isTrue();
        if (less + unit < asked) {
          assertThat(fitsWith(name, resource, less + unit)).as(line + ": one more").isFalse();
        }
        count("memory", true);
      }
    }

    private void devices(String line) {
      Matcher matcher = DEVICES.matcher(line);
      if (matcher.matches()) {
        String resource = matcher.group(2);
        Optional<String> name = Optional.ofNullable(matcher.group(3));
        long asked = Long.parseLong(matcher.group(4));
        long fewer = Long.parseLong(matcher.group(1));
        assertThat(fewer).as(line).isBetween(1L, asked - 1);
        assertThat(fitsWith(name, resource, fewer)).as(line).isTrue();
        if (fewer + 1 < asked) {
          assertThat(fitsWith(name, resource, fewer + 1)).as(line + ": one more").isFalse();
        }
        count("devices", true);
      }
    }

    private boolean fitsWith(Optional<String> name, String resource, long amount) {
      List<Container> containers =
          pod.containers().stream()
              .map(one ->
                  name.isEmpty() || name.get().equals(one.name())
                      ? resized(one, resource, Quantity.of(amount))
                      : one)
              .toList();
      return fits(then(node.configuration()), Pod.of(pod.uid(), containers));
    }
  }
}
