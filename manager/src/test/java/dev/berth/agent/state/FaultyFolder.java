package dev.berth.agent.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A state folder whose next syncs of the journal fail, as many as are asked for. */
public final class FaultyFolder {
  private final AtomicInteger failures = new AtomicInteger();
  private final StateFolder state;

  /** Opens one. */
  public FaultyFolder(Path folder) throws IOException {
    state = StateFolder.open(folder, Faulty::new);
  }

  private final class Faulty extends Disk {
    Faulty(Path folder) {
      super(folder);
    }

    @Override
    void sync(FileChannel channel) throws IOException {
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("on purpose");
      }
      super.sync(channel);
    }
  }

  /** The folder. */
  public StateFolder state() {
    return state;
  }

  /** Has the next sync fail. */
  public void failOnce() {
    failures.set(1);
  }
}
