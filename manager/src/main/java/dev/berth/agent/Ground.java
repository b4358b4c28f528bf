package dev.berth.agent;

import dev.berth.topology.Machine;

/** The machine under the agent, which may change while it runs. */
public interface Ground {
  /** The machine as it is now. */
  Machine machine();

  /** Something cheap that is another whenever the machine may be. */
  String fingerprint();

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
