package dev.berth.cri;

import dev.berth.runtime.Waiting;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it hears, a line each. */
final class Heard implements CriListener {
  final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void connected() {
    lines.add("connected");
  }

  @Override
  public void lost() {
    lines.add("lost");
  }

  @Override
  public void happened(CriEvent event) {
    lines.add(event.kind() + " " + event.id() + (event.isOfSandbox() ? " of sandbox" : ""));
  }

  @Override
  public void unsupported() {
    lines.add("unsupported");
  }

  int count(String line) {
    return Collections.frequency(lines, line);
  }

  void await(String line) throws IOException {
    Waiting.until(line + " among " + lines, () -> lines.contains(line));
  }
}
