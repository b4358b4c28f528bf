package dev.berth.agent;

import dev.berth.kubelet.NodeSettings;
import dev.berth.kubelet.OwnSettings.LogFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts agents that decide and write down, but touch nothing else. */
final class PretendedAgent {
  private PretendedAgent() {}

  static Agent start(Path folder, Ground ground, Supplier<NodeSettings> settings, OutputStream log)
      throws IOException {
    return start(folder, Optional.empty(), ground, settings, log);
  }

  /** The same for one that looks after a runtime's containers; that is told what was decided. */
  static Agent startBeside(
      ForeignRuntime runtime,
      Path folder,
      Ground ground,
      Supplier<NodeSettings> settings,
      OutputStream log)
      throws IOException {
    return start(folder, Optional.of(runtime), ground, settings, log);
  }

  private static Agent start(
      Path folder,
      Optional<ForeignRuntime> runtime,
      Ground ground,
      Supplier<NodeSettings> settings,
      OutputStream log)
      throws IOException {
    AgentOptions options =
        new AgentOptions(
            folder.resolve("state"),
            folder.resolve("run"),
            folder.resolve("s"),
            Optional.empty(),
            // The machine may have an agent of its own.
            "berth-pretended-" + ProcessHandle.current().pid(),
            runtime,
            runtime.isEmpty() ? Pretence.SIMULATED_MACHINE : Pretence.NONE,
            false,
            Optional.empty(),
            false,
            "test");
    PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
    return Agent.start(
        options, ground, settings, new AgentLog(out, Clock.systemUTC(), LogFormat.TEXT));
  }
}
