package dev.berth.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The refusal that docs/topology.md shows is a real one. */
class TopologyDocumentTest {
  @Test
  void theExampleIsTrue() throws IOException {
    Scenario scenario = (Scenario) CaseFile.read("example", line());
    List<String> lines = Replayer.run(scenario).steps().getLast().why().orElseThrow().lines();
    String shown = lines.stream().map(line -> "    " + line + "\n").collect(Collectors.joining());
    assertThat(Files.readString(Path.of("../docs/topology.md"))).contains(shown);
  }

  private static String line() {
    String cpus =
        IntStream.range(0, 8)
            .mapToObj(cpu -> List.of(cpu, cpu, cpu / 4, cpu / 4, cpu / 4).toString())
            .collect(Collectors.joining(","));
    String node = "{\"bytes\":" + (9L << 30) + ",\"reserved\":" + (1L << 30) + "}";
    return "{\"id\":\"example\",\"machine\":{\"cpus\":["
        + cpus
        + "],\"distances\":[[10,20],[20,10]],\"memory\":["
        + node
        + ","
        + node
        + "]},\"config\":{\"reservedCpus\":\"0\",\"topologyPolicy\":\"restricted\",\"memoryPolicy\":\"Static\"},"
        + "\"steps\":["
        + admit("memory-0", 1, 7)
        + ","
        + admit("cpus-0", 4, 1)
        + ","
        + admit("late", 2, 4)
        + "]}";
  }

  private static String admit(String uid, int cpus, int gib) {
    String amounts = "{\"cpu\":\"" + cpus + "\",\"memory\":\"" + gib + "Gi\"}";
    return "{\"admit\":{\"uid\":\""
        + uid
        + "\",\"containers\":[{\"name\":\"app-0\",\"requests\":"
        + amounts
        + ",\"limits\":"
        + amounts
        + "}]}}";
  }
}
