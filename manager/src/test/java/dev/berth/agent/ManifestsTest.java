package dev.berth.agent;

import static dev.berth.agent.RealAgent.await;
import static dev.berth.agent.RealAgent.guaranteed;
import static dev.berth.agent.RealAgent.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ManifestsTest {
  @TempDir private Path folder;

  private static void put(Path file, String yaml) throws IOException {
    Path hidden = file.resolveSibling("." + file.getFileName());
    Files.writeString(hidden, yaml);
    Files.move(hidden, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void podsFollowTheFilesOfAFolder() throws Exception {
    Path manifests = Files.createDirectory(folder.resolve("manifests"));
    Path file = manifests.resolve("db.yaml");
    put(file, pod("db", guaranteed(1), "sleep", "1000"));
    Path config =
        Files.writeString(folder.resolve("berth.yaml"), "berth: {manifests: " + manifests + "}\n");
    try (RealAgent agent = RealAgent.start(folder, "--config", config.toString())) {
      await("db to run", () -> agent.container("db", "app").has("pid"));
      long first = agent.container("db", "app").path("pid").asLong();

      put(file, "kind: nonsense\n");
      await("the fault to be told", () -> agent.ask("GET", "/events", "").contains("db.yaml:1:"));
      assertThat(agent.container("db", "app").path("pid").asLong()).isEqualTo(first);

      agent.kill();
      agent.startAgain();
      await("the fault to be told", () -> agent.ask("GET", "/events", "").contains("db.yaml:1:"));
      assertThat(agent.container("db", "app").path("pid").asLong())
          .as("a file that is not understood after a restart either")
          .isEqualTo(first);
      agent.kill();
      put(file, pod("db", guaranteed(1), "sleep", "1001"));
      put(manifests.resolve("web.yaml"), pod("web", "{}", "sleep", "1000"));
      agent.startAgain();
      await(
          "db to be replaced",
          () -> {
            long pid = agent.container("db", "app").path("pid").asLong(first);
            return pid != first
                && Files.readString(Path.of("/proc/" + pid + "/cmdline")).contains("1001");
          });
      await("web to run", () -> agent.container("web", "app").has("pid"));

      assertThat(agent.ask("DELETE", "/pods/db", ""))
          .isEqualTo("pod db: expected " + file + " to be removed, which would start it again\n");
      Files.delete(file);
      await("db to be gone", () -> agent.pod("db").isMissingNode());
      assertThat(agent.container("web", "app").path("state").asString()).isEqualTo("running");
    }
  }
}
