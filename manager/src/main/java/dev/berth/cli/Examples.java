package dev.berth.cli;

/** What stands at the end of {@code berth --help}. */
final class Examples {
  private Examples() {}

  static String[] lines() {
    return """

    Examples:
      berth topology            what this machine looks like
      berth topology --machine epyc-7702p -o svg > epyc.svg
      berth run --cpus 2 -- ./server    a command on two CPUs of its own
      berth demo                what a CPU of one's own is worth on this machine
      berth agent               the node agent; berth apply and ps talk to it
      berth simulate -f pods.yaml --machine epyc-7702p    what would happen there
      berth state show /var/lib/kubelet
      berth --version           which version this is
      berth help                what it can do

    Exit codes: 0 done, 1 refused or mismatch, 2 wrong usage or input, 3 agent unreachable.\
    """
        .lines()
        .toArray(String[]::new);
  }
}
