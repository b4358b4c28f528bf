package dev.berth.agent.state;

import dev.berth.ledger.Holding;
import dev.berth.ledger.Node;
import dev.berth.workload.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Run in a mount namespace of its own, with a small tmpfs: a state folder on a disk that is full,
 * has room again, is read-only, and is writable again. Ends with 0 where all is as promised.
 */
final class PrivateMount {
  private static final int SPEC_BYTES = 3000;

  private final Path mount;
  private final Path folder;
  private final Node node = Fixture.node();
  private int admitted;

  private PrivateMount(Path mount) {
    this.mount = mount;
    folder = mount.resolve("state");
  }

  public static void main(String[] arguments) throws Exception {
    new PrivateMount(Path.of(arguments[0])).run();
  }

  private void run() throws IOException, InterruptedException {
    Path filler = mount.resolve("filler");
    try (StateFolder state = StateFolder.open(folder)) {
      state.settled("boot-1", node, Map.of());
      check(admit(state, Pod.guaranteed("first", 1)), "the first pod");
      Files.write(filler, new byte[16 << 10]);
      while (admit(state, Fixture.shared("shared-" + admitted))) {
        check(admitted < 100, "the disk never filled up");
      }
      check(!admit(state, Pod.guaranteed("second", 1)), "a full disk had room");
      System.out.println("full after " + admitted + " pods");
      Files.delete(filler);
      check(admit(state, Pod.guaranteed("second", 1)), "there is room again");
      mount("--bind", folder.toString(), folder.toString());
      mount("-o", "remount,bind,ro", folder.toString());
      check(!admit(state, Pod.guaranteed("third", 1)), "a read-only folder was written to");
      command("umount", folder.toString());
      check(admit(state, Pod.guaranteed("third", 1)), "the folder is writable again");
    }
  }

  /** Whether the pod could be written down; either way, the disk says what memory says. */
  private boolean admit(StateFolder state, Pod pod) throws IOException {
    Fixture.admit(node, pod);
    boolean written = false;
    try {
      state.admitted(pod, "x".repeat(SPEC_BYTES), node);
      admitted++;
      written = true;
    } catch (IOException e) {
      node.remove(pod.uid());
    }
    Recovered found = StateFolder.look(folder);
    check(found.holdings().equals(Holding.all(node)), "the disk says " + found.holdings());
    check(found.pods().equals(state.pods()), "the disk has " + found.pods());
    check(found.why().size() == 1, found.why().toString());
    return written;
  }

  private static void mount(String... arguments) throws IOException, InterruptedException {
    command("mount", arguments);
  }

  private static void command(String name, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(name));
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).inheritIO().start();
    check(process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0, line.toString());
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
