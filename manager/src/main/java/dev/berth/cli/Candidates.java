package dev.berth.cli;

import dev.berth.ledger.CpuPolicy;
import dev.berth.ledger.TopologySettings;
import java.util.Iterator;
import java.util.stream.Stream;

/** Words that a shell can offer for options whose words are Kubernetes' own. */
final class Candidates {
  private Candidates() {}

  /** Of {@code --cpu-manager-policy}. */
  static final class CpuPolicies implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(CpuPolicy.values()).map(CpuPolicy::kubernetesName).iterator();
    }
  }

  /** Of {@code --topology-manager-policy}. */
  static final class TopologyPolicies implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(TopologySettings.Policy.values())
          .map(TopologySettings.Policy::kubernetesName)
          .iterator();
    }
  }

  /** Of {@code --topology-manager-scope}. */
  static final class TopologyScopes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(TopologySettings.Scope.values())
          .map(TopologySettings.Scope::kubernetesName)
          .iterator();
    }
  }
}
