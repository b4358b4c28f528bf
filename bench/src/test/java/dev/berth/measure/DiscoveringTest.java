package dev.berth.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.Sysfs;
import dev.berth.topology.Level;
import dev.berth.topology.Machine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DiscoveringTest {
  @Test
  void theTreeOfAMachineIsDiscoveredAsThatMachine(@TempDir Path folder) throws IOException {
    new MachineTree(folder).write(MachineTree.LARGE);
    Machine found = Sysfs.discover(folder);
    assertThat(found.cpus()).isEqualTo(MachineTree.LARGE.cpus());
    for (Level level : Level.values()) {
      assertThat(found.domains(level).stream().map(domain -> domain.cpus()))
          .as(level.noun())
          .containsExactlyElementsOf(
              MachineTree.LARGE.domains(level).stream().map(domain -> domain.cpus()).toList());
    }
    assertThat(found.distances().row(3)).isEqualTo(MachineTree.LARGE.distances().row(3));
  }
}
