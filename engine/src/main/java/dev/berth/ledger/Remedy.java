package dev.berth.ledger;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Something that would have let a refused pod in, or that nothing tried would. */
public sealed interface Remedy {
  /** One line for a person. */
  String text();

  /**
   * It fits once one of these has left.
   *
   * @param pods by uid, each of them enough
   */
  record OneGone(List<String> pods) implements Remedy {
    private static final int LISTED = 5;

    /** Takes a copy. */
    public OneGone {
      pods = List.copyOf(pods);
    }

    @Override
    public String text() {
      int more = pods.size() - LISTED;
      return "fits if pod "
          + String.join(" or ", pods.subList(0, Math.min(LISTED, pods.size())))
          + (more > 0 ? " or one of " + more + " more" : "")
          + " leaves";
    }
  }

  /** It fits with this scope of the topology manager. */
  record OtherScope(TopologySettings.Scope scope) implements Remedy {
    @Override
    public String text() {
      return "fits with scope " + scope.kubernetesName();
    }
  }

  /** It fits with this policy of the topology manager, the strictest that lets it in. */
  record OtherPolicy(TopologySettings.Policy policy) implements Remedy {
    @Override
    public String text() {
      return "fits with topology policy " + policy.kubernetesName();
    }
  }

  /**
   * It fits with one option of the static policy switched off.
   *
   * @param options by Kubernetes' names, each of them enough
   */
  record WithoutOption(List<String> options) implements Remedy {
    /** Takes a copy. */
    public WithoutOption {
      options = List.copyOf(options);
    }

    @Override
    public String text() {
      return "fits without the CPU option " + String.join(", or without ", options);
    }
  }

  /**
   * It fits with another number of CPUs.
   *
   * @param container whose, where the pod has several; the others stay as they are
   * @param cpus the next smaller, the next larger or both
   * @param asked what it asks for
   */
  record OtherSize(Optional<String> container, List<Integer> cpus, int asked) implements Remedy {
    /** Takes a copy. */
    public OtherSize {
      cpus = List.copyOf(cpus);
    }

    @Override
    public String text() {
      String sizes = cpus.stream().map(String::valueOf).collect(Collectors.joining(" or "));
      return "fits with "
          + sizes
          + (cpus.equals(List.of(1)) ? " CPU" : " CPUs")
          + container.map(name -> " for container " + name).orElse("")
          + " instead of "
          + asked;
    }
  }

  /**
   * It fits with less memory.
   *
   * @param container whose, where the pod has several
   * @param resource {@code memory}, {@code hugepages-2Mi}, …
   * @param bytes how much fits, in whole MiB or pages: a MiB or page more does not
   * @param asked what it asks for
   */
  record LessMemory(Optional<String> container, String resource, long bytes, long asked)
      implements Remedy {
    private static final List<String> BINARY = List.of("Ei", "Pi", "Ti", "Gi", "Mi", "Ki");
    private static final List<String> DECIMAL = List.of("E", "P", "T", "G", "M", "k");
    private static final int KILO = 1_000;
    private static final int KIBI_BITS = 10;

    @Override
    public String text() {
      return "fits with "
          + written(bytes)
          + " of "
          + resource
          + container.map(name -> " for container " + name).orElse("")
          + " instead of "
          + written(asked);
    }

    /** As one would write it in a pod, in the largest unit that is exact. */
    private static String written(long amount) {
      for (int i = 0; i < BINARY.size(); i++) {
        long unit = 1L << (KIBI_BITS * (BINARY.size() - i));
        if (amount % unit == 0) {
          return amount / unit + BINARY.get(i);
        }
      }
      long unit = (long) Math.pow(KILO, DECIMAL.size());
      for (String name : DECIMAL) {
        if (amount % unit == 0) {
          return amount / unit + name;
        }
        unit /= KILO;
      }
      return String.valueOf(amount);
    }
  }

  /**
   * It fits with fewer devices, of which there is at least one.
   *
   * @param container whose, where the pod has several; the others stay as they are
   * @param resource {@code vendor.example/nic}, …
   * @param devices how many fit: one more does not
   * @param asked what it asks for
   */
  record FewerDevices(Optional<String> container, String resource, int devices, int asked)
      implements Remedy {
    @Override
    public String text() {
      return "fits with "
          + devices
          + " "
          + resource
          + container.map(name -> " for container " + name).orElse("")
          + " instead of "
          + asked;
    }
  }

  /** It would be refused if nobody were there. */
  record NotEvenEmpty() implements Remedy {
    @Override
    public String text() {
      return "it would not fit on this machine even if it were empty";
    }
  }

  /** Nothing of all this helps. */
  record NothingTried() implements Remedy {
    @Override
    public String text() {
      return "no single pod's leaving, no other scope, policy, option or amount makes room for it";
    }
  }
}
