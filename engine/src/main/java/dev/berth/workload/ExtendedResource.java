package dev.berth.workload;

import java.util.regex.Pattern;

/** What Kubernetes calls an extended resource: one of which a device plugin has devices. */
public final class ExtendedResource {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

  /** A quota is named after a resource, with this before it, and must still be a name. */
  private static final String QUOTA = "requests.";

  private static final int LONGEST_DOMAIN = 253;
  private static final int LONGEST_NAME = 63;

  private ExtendedResource() {}

  /** Most names have no domain, and a command that starts pays for every pattern. */
  private static final class Patterns {
    private static final Pattern DOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  }

  /** Whether a resource is named like one. */
  public static boolean isName(String resource) {
    int slash = resource.indexOf('/');
    if (slash < 0 || resource.contains("kubernetes.io/") || resource.startsWith(QUOTA)) {
      return false;
    }
    String domain = resource.substring(0, slash);
    String name = resource.substring(slash + 1);
    return QUOTA.length() + domain.length() <= LONGEST_DOMAIN
        && name.length() <= LONGEST_NAME
        && Patterns.DOMAIN.matcher(domain).matches()
        && Patterns.NAME.matcher(name).matches();
  }
}
