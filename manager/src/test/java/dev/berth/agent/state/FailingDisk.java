package dev.berth.agent.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A disk that fails at one operation, counted from 0; or from there on, as if the power went. */
final class FailingDisk extends Disk {
  private int failAt = Integer.MAX_VALUE;
  private boolean forGood;
  private int operations;
  private int syncs;

  FailingDisk(Path folder) {
    super(folder);
  }

  /** From now on, lets the operation fail that comes after so many others. */
  void failAfter(int others, boolean andAllLater) {
    operations = 0;
    syncs = 0;
    failAt = others;
    forGood = andAllLater;
  }

  /** From now on, nothing fails. */
  void mend() {
    failAfter(Integer.MAX_VALUE, false);
  }

  /** How many operations there were. */
  int operations() {
    return operations;
  }

  /** How many of them waited for the disk. */
  int syncs() {
    return syncs;
  }

  private boolean fails() {
    int number = operations++;
    return forGood ? number >= failAt : number == failAt;
  }

  private void step() throws IOException {
    if (fails()) {
      throw new IOException("no space left");
    }
  }

  @Override
  FileChannel open(String name) throws IOException {
    step();
    return super.open(name);
  }

  /** Half a line may be there. */
  @Override
  void append(FileChannel channel, byte[] bytes) throws IOException {
    if (fails()) {
      super.append(channel, Arrays.copyOf(bytes, bytes.length / 2));
      throw new IOException("no space left");
    }
    super.append(channel, bytes);
  }

  @Override
  void sync(FileChannel channel) throws IOException {
    step();
    syncs++;
    super.sync(channel);
  }

  @Override
  void truncate(FileChannel channel, long length) throws IOException {
    step();
    super.truncate(channel, length);
  }

  /** Half a new file may be there. */
  @Override
  void create(String name, byte[] content) throws IOException {
    if (fails()) {
      Files.write(path(name + ".new"), Arrays.copyOf(content, content.length / 2));
      throw new IOException("no space left");
    }
    syncs++;
    int before = operations;
    super.create(name, content);
    operations = before; // its appending is a part of it
  }

  @Override
  void install(String name) throws IOException {
    step();
    super.install(name);
  }

  @Override
  void delete(String name) throws IOException {
    step();
    super.delete(name);
  }

  @Override
  void syncFolder() throws IOException {
    step();
    syncs++;
    super.syncFolder();
  }
}
