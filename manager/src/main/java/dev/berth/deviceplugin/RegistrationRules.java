package dev.berth.deviceplugin;

import dev.berth.protocols.deviceplugin.RegisterRequest;
import dev.berth.rpc.Lines;
import dev.berth.workload.ExtendedResource;
import java.util.Optional;

/** What a plugin may call itself: pure. */
final class RegistrationRules {
  static final String VERSION = "v1beta1";

  /** What Linux allows in a file's name. */
  private static final int LONGEST_FILE = 255;

  private RegistrationRules() {}

  /** Why this registration cannot be, if so. */
  static Optional<String> refusal(RegisterRequest request) {
    if (!request.getVersion().equals(VERSION)) {
      return refused("version", VERSION, request.getVersion());
    }
    if (!ExtendedResource.isName(request.getResourceName())) {
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

  private static boolean isPlain(String endpoint) {
    return !endpoint.isEmpty()
        && endpoint.length() <= LONGEST_FILE
        && !endpoint.equals(".")
        && !endpoint.equals("..")
        && !endpoint.equals(DevicePlugins.SOCKET)
        && endpoint.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
  }
}
