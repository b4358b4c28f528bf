package dev.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.start.BerthJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user on the agent's socket, also one that somebody has opened to all. */
@Tag("slow")
class SocketStrangerTest {
  @TempDir private Path folder;

  @Test
  void anotherUserIsNotAnsweredWhateverTheModeOfTheSocketIs() throws Exception {
    OtherUser user = OtherUser.in(folder);
    Path place = Files.createDirectory(folder.resolve("agent"));
    try (RealAgent agent =
        RealAgent.startBehind(place, List.of(), "--machine", "pack:1 core:2 pu:1")) {
      Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
      assertThat(asked(user.words(), user, agent)).isEqualTo("no answer: Permission denied");
      Files.setPosixFilePermissions(agent.socket(), PosixFilePermissions.fromString("rw-rw-rw-"));
      for (String request : List.of("GET /pods", "DELETE /pods/a", "GET /healthz")) {
        assertThat(asked(user.words(), user, agent, request.split(" ", -1)))
            .as(request)
            .startsWith("no answer: ")
            .doesNotContain("Permission denied");
      }
      assertThat(Files.readString(agent.log())).contains("a connection of another user was shut");
      assertThat(asked(List.of(), user, agent)).startsWith("200 {");
    } finally {
      user.end();
    }
  }

  private static String asked(List<String> as, OtherUser user, RealAgent agent)
      throws IOException, InterruptedException {
    return asked(as, user, agent, "GET", "/pods");
  }

  private static String asked(List<String> as, OtherUser user, RealAgent agent, String... request)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(as);
    words.addAll(BerthJvm.words(BerthJvm.SHORT, user.classPath(), SocketAsk.class.getName()));
    words.add(agent.socket().toString());
    words.addAll(List.of(request));
    Process client = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(client.waitFor()).as(said).isZero();
    return said.strip();
  }
}
