package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command that talks to an agent, beside one that is stopped: exit code 3, and why. */
@Tag("slow")
class StoppedAgentTest {
  @TempDir private Path folder;

  @Test
  void everyCommandEndsAndSaysWhatItWaitedFor() throws Exception {
    Path pods = folder.resolve("pods.yaml");
    Files.writeString(pods, RealAgent.pod("a", RealAgent.guaranteed(1), "true"));
    try (RealAgent agent =
        RealAgent.startBehind(folder, List.of(), "--machine", "pack:1 core:4 pu:1")) {
      signal(agent, "STOP");
      Map<Process, String> commands = new LinkedHashMap<>();
      try {
        for (String words :
            List.of(
                "ps",
                "apply -f " + pods,
                "rm a",
                "events",
                "logs a",
                "explain a",
                "reload",
                "run --cpus 1 -- true",
                "watch --once")) {
          commands.put(start(agent, words), words);
        }
        for (Map.Entry<Process, String> command : commands.entrySet()) {
          String said =
              new String(command.getKey().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          assertThat(command.getKey().waitFor(2, TimeUnit.MINUTES)).as(command.getValue()).isTrue();
          assertThat(said)
              .as(command.getValue())
              .startsWith(
                  "berth: "
                      + agent.socket()
                      + ": the agent (process "
                      + agent.pid()
                      + ", stopped) has not answered ")
              .containsPattern("(GET|POST|DELETE) /[a-z]+.* for 1[0-9] s\\R$");
          assertThat(command.getKey().exitValue()).as(said).isEqualTo(3);
        }
      } finally {
        commands.keySet().forEach(Process::destroyForcibly);
        signal(agent, "CONT");
      }
      assertThat(agent.isReady()).isTrue();
    }
  }

  private static void signal(RealAgent agent, String name)
      throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("kill", "-" + name, String.valueOf(agent.pid())).start().waitFor())
        .isZero();
  }

  private static Process start(RealAgent agent, String words) throws IOException {
    List<String> all = new ArrayList<>(BerthJvm.words(BerthJvm.SHORT));
    List<String> own = List.of(words.split(" ", -1));
    all.add(own.getFirst());
    all.addAll(List.of("--socket", agent.socket().toString()));
    all.addAll(own.subList(1, own.size()));
    return new ProcessBuilder(all).redirectErrorStream(true).start();
  }
}
