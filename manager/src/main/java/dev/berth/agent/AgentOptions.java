package dev.berth.agent;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an agent lives.
 *
 * @param state the folder in which it writes down who is there
 * @param runtime the folder of what does not outlive the machine's run: who runs and how they ended
 * @param socket where its clients find it
 * @param http host and port of metrics and health, where they are wanted
 * @param cgroup the one group under which everything of ours lives
 * @param foreign the runtime whose containers it looks after; none where it starts them itself
 * @param pretence whether nothing on the machine is touched, and why: decisions only
 * @param passing whether it ends by itself once nobody is left
 * @param locks the folder of locks by which agents are kept apart; none for one that takes no lock
 * @param second whether another agent may run beside it, on other CPUs
 * @param version which Berth this is
 */
public record AgentOptions(
    Path state,
    Path runtime,
    Path socket,
    Optional<HostAndPort> http,
    String cgroup,
    Optional<ForeignRuntime> foreign,
    Pretence pretence,
    boolean passing,
    Optional<Path> locks,
    boolean second,
    String version) {
  /** Whether nothing on the machine is touched: decisions only. */
  boolean pretending() {
    return pretence != Pretence.NONE;
  }
}
