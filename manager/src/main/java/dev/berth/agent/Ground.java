package dev.berth.agent;

import dev.berth.ledger.HintProviderFactory;
import dev.berth.topology.Machine;
import java.util.List;

/** The machine under the agent, which may change while it runs. */
public interface Ground {
  /** The machine as it is now. */
  Machine machine();

  /** Something cheap that is another whenever the machine may be. */
  String fingerprint();

  /** What starts the providers from outside that take part in placement. */
  default List<HintProviderFactory> providers() {
    return List.of();
  }

  /** The same with these providers. */
  default Ground with(List<HintProviderFactory> factories) {
    Ground before = this;
    return new Ground() {
      @Override
      public Machine machine() {
        return before.machine();
      }

      @Override
      public String fingerprint() {
        return before.fingerprint();
      }

      @Override
      public List<HintProviderFactory> providers() {
        return factories;
      }
    };
  }

  /** One that never changes. */
  static Ground fixed(Machine machine) {
    return new Ground() {
      @Override
      public Machine machine() {
        return machine;
      }

      @Override
      public String fingerprint() {
        return "";
      }
    };
  }
}
