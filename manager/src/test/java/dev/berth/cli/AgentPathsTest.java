package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentPathsTest {
  private static final AgentPaths ROOT = AgentPaths.of(Map.of(), true);

  @Test
  void rootHasTheSystemsFolders() {
    assertThat(ROOT)
        .isEqualTo(
            new AgentPaths(
                Path.of("/var/lib/berth"),
                Path.of("/run/berth"),
                Path.of("/run/berth/berth.sock"),
                Path.of("/run/berth")));
  }

  @Test
  void othersHaveTheirOwnWhereverTheySay() {
    assertThat(AgentPaths.of(Map.of("HOME", "/home/a", "XDG_RUNTIME_DIR", "/run/user/7"), false))
        .isEqualTo(
            new AgentPaths(
                Path.of("/home/a/.local/state/berth"),
                Path.of("/run/user/7/berth"),
                Path.of("/run/user/7/berth.sock"),
                Path.of("/run/berth")));
    AgentPaths bare = AgentPaths.of(Map.of("HOME", "/home/a", "XDG_STATE_HOME", ""), false);
    assertThat(bare.runtime().startsWith("/home/a/.local/state")).isTrue();
  }

  @Test
  void theUsualStateFolderHasTheUsualRuntimeFolder() {
    assertThat(ROOT.runtimeOf(Path.of("/var/lib/berth"))).isEqualTo(ROOT.runtime());
    assertThat(ROOT.runtimeOf(Path.of("/var/lib/../lib/berth/"))).isEqualTo(ROOT.runtime());
  }

  @Test
  void noTwoStateFoldersShareARuntimeFolder() {
    Path one = ROOT.runtimeOf(Path.of("/srv/one"));
    Path two = ROOT.runtimeOf(Path.of("/srv/two"));
    assertThat(one).isNotEqualTo(two).isNotEqualTo(ROOT.runtime());
    assertThat(one.getParent()).isEqualTo(ROOT.runtime());
    assertThat(two.getParent()).isEqualTo(ROOT.runtime());
  }

  @Test
  void theSameStateFolderHasTheSameRuntimeFolderHoweverItIsSpelt() {
    Path here = Path.of("").toAbsolutePath();
    assertThat(ROOT.runtimeOf(Path.of("state")))
        .isEqualTo(ROOT.runtimeOf(here.resolve("state")))
        .isEqualTo(ROOT.runtimeOf(Path.of("./other/../state")));
  }
}
