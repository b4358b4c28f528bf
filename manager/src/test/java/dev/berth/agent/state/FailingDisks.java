package dev.berth.agent.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/** Opens state folders, each on a disk that fails when it is told to. */
final class FailingDisks {
  private final AtomicReference<FailingDisk> latest = new AtomicReference<>();

  StateFolder open(Path folder) throws IOException {
    return StateFolder.open(
        folder,
        path -> {
          latest.set(new FailingDisk(path));
          return latest.get();
        });
  }

  /** That of the folder that was opened last. */
  FailingDisk latest() {
    return latest.get();
  }
}
