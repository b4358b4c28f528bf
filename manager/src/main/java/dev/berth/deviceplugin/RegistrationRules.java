package dev.berth.deviceplugin;

import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.rpc.Lines;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a plugin may call itself: pure. */
final class RegistrationRules {
  static final String VERSION = "v1beta1";

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern DOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  /** A quota is named after a resource, with this before it, and must still be a name. */
  private static final String QUOTA = "requests.";

  private static final int LONGEST_DOMAIN = 253;
  private static final int LONGEST_NAME = 63;

  /** What Linux allows in a file's name. */
  private static final int LONGEST_FILE = 255;

  private RegistrationRules() {}

  /** Why this registration cannot be, if so. */
  static Optional<String> refusal(RegisterRequest request) {
    if (!request.getVersion().equals(VERSION)) {
      return refused("version", VERSION, request.getVersion());
    }
    if (!isExtended(request.getResourceName())) {
      return refused(
          "resource",
          "a name such as vendor.example/gpu outside kubernetes.io",
          request.getResourceName());
    }
    if (!isPlain(request.getEndpoint())) {
      return refused(
          "endpoint", "the name of a socket in the plugins' folder", request.getEndpoint());
    }
    return Optional.empty();
  }

  private static Optional<String> refused(String what, String expected, String found) {
    return Optional.of(
        "device plugin's "
            + what
            + ": expected "
            + expected
            + ", found \""
            + Lines.shortened(found)
            + "\"");
  }

  /** Whether it is what Kubernetes calls an extended resource. */
  static boolean isExtended(String resource) {
    int slash = resource.indexOf('/');
    if (slash < 0 || resource.contains("kubernetes.io/") || resource.startsWith(QUOTA)) {
      return false;
    }
    String domain = resource.substring(0, slash);
    String name = resource.substring(slash + 1);
    return DOMAIN.matcher(domain).matches()
        && QUOTA.length() + domain.length() <= LONGEST_DOMAIN
        && NAME.matcher(name).matches()
        && name.length() <= LONGEST_NAME;
  }

  private static boolean isPlain(String endpoint) {
    return !endpoint.isEmpty()
        && endpoint.length() <= LONGEST_FILE
        && !endpoint.equals(".")
        && !endpoint.equals("..")
        && !endpoint.equals(DevicePlugins.SOCKET)
        && endpoint.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
  }
}
