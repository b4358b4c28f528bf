package dev.berth.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.runtime.RealContainerd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ImageTest {
  /** No program but a shell and Berth is in the image, so that it cannot sleep between tries. */
  private static final String AGENT =
      "berth agent --machine epyc-7702p --socket /tmp/s --state /tmp/state --http off & tries=0; "
          + "until berth ps -o json --socket /tmp/s 2>/dev/null || [ $tries -ge 200 ]; "
          + "do tries=$((tries + 1)); done; kill $!; wait";

  @Test
  void containerdImportsAndRunsIt() throws IOException {
    Path image = Packages.named("berth-*.oci.tar");
    try (RealContainerd containerd = RealContainerd.current()) {
      containerd.ctr("images", "import", "--no-unpack", image.toString());
      String name =
          containerd.ctr("images", "list", "-q").lines().findFirst().orElse("no image at all");
      assertThat(name).startsWith("localhost/berth:");

      assertThat(run(containerd, name, "version", "berth", "--version"))
          .isEqualTo("berth " + name.substring(name.indexOf(':') + 1) + "\n");
      String read = "while read -r line; do echo \"$line\"; done </usr/lib/berth/berth.cdx.json";
      assertThat(run(containerd, name, "bom", "sh", "-c", read))
          .contains("CycloneDX", "\"java-runtime\"", "\"libc.so.6\"", "\"sh\"");
      assertThat(run(containerd, name, "topology", "berth", "topology")).contains("socket 0");
      assertThat(run(containerd, name, "agent", "sh", "-c", AGENT))
          .contains("\"machine\":\"epyc-7702p\"");
    }
  }

  private static String run(RealContainerd containerd, String image, String id, String... words)
      throws IOException {
    List<String> line = new ArrayList<>(List.of("run", "--rm", "--cgroup="));
    line.addAll(List.of("--snapshotter", "native", image, id));
    line.addAll(List.of(words));
    return containerd.ctr(line.toArray(String[]::new));
  }
}
