package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cpu.InvalidInputException;
import dev.berth.testing.ProviderJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers in a real jar: who may have put it there, and what commands make of it. */
class ProvidersFolderTest {
  private static final String MACHINE = "pack:1 node:2 l3:1 core:4 pu:1";

  @TempDir Path folder;
  private Path providers;
  private Path jar;

  private final Captured captured = new Captured();

  @BeforeEach
  void compile() throws IOException {
    providers = folder.resolve("providers");
    jar = ProviderJar.in(providers);
  }

  private Path pods(int... regions) throws IOException {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < regions.length; i++) {
      yaml.append(
          """
          ---
          apiVersion: v1
          kind: Pod
          metadata: {name: pod-%d}
          spec:
            containers:
            - name: c
              command: [sleep]
              resources: {limits: {cpu: 1, memory: 1Mi, example.com/fpga-region: %d}}
          """
              .formatted(i, regions[i]));
    }
    return Files.writeString(folder.resolve("pods.yaml"), yaml);
  }

  private int berth(String command, Path pods, String... more) {
    String[] words = {command, "-f", pods.toString(), "--machine", MACHINE, "--reserved-cpus", "0"};
    String[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return captured.berth(all);
  }

  @Test
  void aSimulationAsksThem() throws IOException {
    Path pods = pods(4, 4, 1);
    assertThat(berth("simulate", pods)).isEqualTo(0);
    assertThat(captured.out())
        .contains("3 pods came: 0 admitted, 3 refused")
        .contains("device plugin of example.com/fpga-region: expected one that is connected");
    assertThat(berth("simulate", pods, "--providers", providers.toString())).isEqualTo(0);
    assertThat(captured.out())
        .contains("3 pods came: 2 admitted, 1 refused")
        .contains("FPGA regions missing: 1")
        .contains("fits if pod pod-0 or pod-1 leaves");
  }

  @Test
  void explainAsksThemToo() throws IOException {
    Path pods = pods(9);
    assertThat(berth("explain", pods)).isEqualTo(1);
    assertThat(captured.out()).contains("device plugin of example.com/fpga-region");
    assertThat(berth("explain", pods, "--providers", providers.toString())).isEqualTo(1);
    assertThat(captured.out()).contains("FPGA regions missing: 1");
  }

  private void refuses(Path named, String line) {
    assertThatThrownBy(() -> ProvidersFolder.load(named))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("--providers: " + line);
  }

  @Test
  void whatOthersCanWriteIsNotLoaded() throws IOException {
    assertThat(ProvidersFolder.load(providers)).hasSize(1);
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-rw-r--"));
    refuses(
        providers, jar.toRealPath() + ": expected that nobody else can write it, found mode 0664");
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(providers, PosixFilePermissions.fromString("rwxr-xrwx"));
    refuses(
        providers,
        providers.toRealPath() + ": expected that nobody else can write it, found mode 0757");
    Files.setPosixFilePermissions(providers, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
    refuses(
        providers,
        folder.toRealPath() + ": expected that nobody else can write it, found mode 0775");
  }

  /** Also where only a link in the folder leads to it. */
  @Test
  void whatIsAnothersIsNotLoaded() throws IOException {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")), "only root can give a file away");
    Path real = Files.move(jar, folder.resolve("real.jar"));
    Files.createSymbolicLink(jar, real);
    assertThat(ProvidersFolder.load(providers)).hasSize(1);
    Files.setAttribute(real, "unix:uid", 1);
    refuses(providers, real.toRealPath() + ": expected it to be owned by root, found user 1");
  }

  @Test
  void aFolderWithoutAProviderIsRefused() throws IOException {
    Files.delete(jar);
    refuses(
        providers,
        providers
            + ": expected a jar with META-INF/services/dev.berth.ledger.HintProviderFactory, found"
            + " none");
    refuses(Path.of("/proc/version"), "/proc/version: expected a folder, found a file");
  }

  @Test
  void anAgentDoesNotStartWithWhatOthersCanWrite() throws IOException {
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(
            captured.berth(
                "agent",
                "--machine",
                MACHINE,
                "--state",
                folder.resolve("state").toString(),
                "--socket",
                folder.resolve("s").toString(),
                "--http",
                "off",
                "--providers",
                providers.toString()))
        .isEqualTo(2);
    assertThat(captured.err()).contains("expected that nobody else can write it, found mode 0666");
  }
}
