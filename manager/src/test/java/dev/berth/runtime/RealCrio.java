package dev.berth.runtime;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A CRI-O in a process of its own, with NRI and events. Its containers outlive it, too. */
public final class RealCrio extends RealRuntime {
  /** The only things outside its folder, for it cannot be told to have them elsewhere. */
  private static final List<Path> OUTSIDE =
      Stream.of("cache/blob-info-cache-v1.sqlite", "cache", "")
          .map(Path.of("/var/lib/containers")::resolve)
          .toList();

  private final ImageRegistry registry;
  private final List<Path> strewn = OUTSIDE.stream().filter(path -> Files.notExists(path)).toList();

  private RealCrio(Path programs, Path folder, NodeGroups groups, ImageRegistry registry)
      throws IOException {
    super(
        programs,
        folder,
        groups,
        "crio",
        "--config",
        folder.resolve("config.toml").toString(),
        "--config-dir",
        "",
        "--registries-conf",
        folder.resolve("registries.conf").toString());
    this.registry = registry;
  }

  /** Starts one. It fetches its image when the first sandbox needs it. */
  public static RealCrio start() throws IOException {
    return start(true);
  }

  /** The same without events, as it is where nobody has turned them on. */
  public static RealCrio withoutEvents() throws IOException {
    return start(false);
  }

  private static RealCrio start(boolean events) throws IOException {
    Path programs = assumePrepared("crio/bin", "crio", "e2e/crio/prepare");
    assumeTrue(isInstalled("conmon"), "real runtimes: need conmon");
    NodeGroups groups = NodeGroups.open();
    Path folder = newFolder();
    Files.createDirectory(folder.resolve("state"));
    ImageRegistry registry = ImageRegistry.of(ARCHIVE, folder.resolve("image"));
    new CrioSettings(folder, programs, registry.port(), events).write();
    RealCrio crio = new RealCrio(programs, folder, groups, registry);
    try {
      crio.awaitReady();
      return crio;
    } catch (IOException | AssertionError e) {
      throw crio.broken(e);
    }
  }

  @Override
  public void close() throws IOException {
    registry.close();
    super.close();
    for (Path path : strewn) {
      Files.deleteIfExists(path);
    }
  }
}
