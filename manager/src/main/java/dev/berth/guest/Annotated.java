package dev.berth.guest;

import dev.berth.cpu.InvalidInputException;
import dev.berth.workload.Quantity;
import dev.berth.workload.Resources;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a pod's annotation asks for one of its containers.
 *
 * <p>Whoever may annotate a pod need not be one who may ask for more than it was given, so CPUs and
 * memory count only where nobody else has said anything about them.
 */
final class Annotated {
  private static final Pattern DEVICE =
      Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  private static final int LONGEST_SHOWN = 80;

  private final String key;
  private final String text;
  private final boolean cpusAreTold;
  private final boolean memoryIsTold;

  private Annotated(GuestContainer container, boolean cpusAreTold, boolean memoryIsTold) {
    key = GuestRequest.ANNOTATION + container.name();
    text = container.annotations().getOrDefault(key, "");
    this.cpusAreTold = cpusAreTold;
    this.memoryIsTold = memoryIsTold;
  }

  /**
   * Reads it; nothing where there is none.
   *
   * @param cpusAreTold whether Kubernetes or the runtime decides on its CPUs
   * @param memoryIsTold the same of its memory
   * @throws InvalidInputException where it asks for what it may not, or for nothing at all
   */
  static Map<String, Quantity> of(
      GuestContainer container, boolean cpusAreTold, boolean memoryIsTold) {
    return new Annotated(container, cpusAreTold, memoryIsTold).amounts();
  }

  private Map<String, Quantity> amounts() {
    Map<String, Quantity> amounts = new HashMap<>();
    if (text.isEmpty()) {
      return amounts;
    }
    for (String part : text.split(",", -1)) {
      if (part.isBlank()) {
        continue;
      }
      String[] pair = part.strip().split("=", -1);
      if (pair.length != 2) {
        throw refused("RESOURCE=AMOUNT", part.strip());
      }
      String resource = pair[0].strip();
      if (amounts.put(resource, amount(resource, pair[1].strip())) != null) {
        throw refused("each resource once", part.strip());
      }
    }
    return amounts;
  }

  private Quantity amount(String resource, String written) {
    String found = resource + "=" + written;
    return switch (resource) {
      case Resources.CPU -> untold(written, found, cpusAreTold);
      case Resources.MEMORY -> untold(written, found, memoryIsTold);
      default -> count(resource, written, found);
    };
  }

  private Quantity untold(String written, String found, boolean told) {
    if (told) {
      throw refused(
          "cpu and memory only outside kubepods, of a container whose runtime was told none",
          found);
    }
    Quantity amount = quantity(written, found);
    if (amount.equals(Quantity.ZERO)) {
      throw refused("more than 0", found);
    }
    return amount;
  }

  private Quantity count(String resource, String written, String found) {
    if (!DEVICE.matcher(resource).matches()) {
      throw refused("a resource such as vendor.example/nic", found);
    }
    Quantity amount = quantity(written, found);
    if (amount.units() == 0 || amount.nanos() != 0) {
      throw refused("a whole number above 0", found);
    }
    return amount;
  }

  private Quantity quantity(String written, String found) {
    try {
      return Quantity.parse(written);
    } catch (InvalidInputException e) {
      throw refused("an amount", found);
    }
  }

  private InvalidInputException refused(String expected, String found) {
    String line = found.replaceAll("\\p{Cntrl}", "?");
    return new InvalidInputException(
        "annotation "
            + key
            + ": expected "
            + expected
            + ", found \""
            + (line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line)
            + "\"");
  }
}
