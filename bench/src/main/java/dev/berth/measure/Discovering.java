package dev.berth.measure;

import dev.berth.cpu.InvalidInputException;
import dev.berth.linux.Sysfs;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the first discovery in a fresh JVM takes, and what reading the same files takes without
 * making anything of them. Each is one process:
 *
 * <pre>
 * make FOLDER       writes the tree of a machine of 512 CPUs, and the list of files that discovery reads
 * discover FOLDER   discovers once and prints the time
 * read FOLDER       reads the files of the list once and prints the time
 * </pre>
 */
final class Discovering {
  private static final String LIST = "files.txt";

  private Discovering() {}

  public static void main(String... arguments) {
    OneLine.run(() -> {
      Path folder = Path.of(arguments[1]);
      switch (arguments[0]) {
        case "make" -> make(folder);
        case "discover" -> discover(folder);
        case "read" -> read(folder);
        default ->
            throw new InvalidInputException(
                "expected make, discover or read, found \"" + arguments[0] + '"');
      }
      return 0;
    });
  }

  private static void make(Path folder) throws IOException {
    new MachineTree(folder.resolve("tree")).write(MachineTree.LARGE);
    Files.write(folder.resolve(LIST), readByDiscovery(folder.resolve("tree")));
  }

  /**
   * The files that discovery opens. An access time that lies before the last change is brought up
   * to date by the kernel whenever a file is read, unless the disk is mounted not to.
   */
  private static List<String> readByDiscovery(Path tree) throws IOException {
    FileTime longAgo = FileTime.from(Instant.EPOCH);
    List<Path> all = files(tree);
    for (Path file : all) {
      view(file).setTimes(null, longAgo, null);
    }
    Sysfs.discover(tree);
    List<String> read = new ArrayList<>();
    for (Path file : all) {
      if (!view(file).readAttributes().lastAccessTime().equals(longAgo)) {
        read.add(file.toString());
      }
    }
    if (read.isEmpty()) {
      throw new IOException(tree + ": expected a disk that keeps access times, found none changed");
    }
    return read;
  }

  private static BasicFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, BasicFileAttributeView.class);
  }

  private static List<Path> files(Path tree) throws IOException {
    try (Stream<Path> found = Files.walk(tree)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void discover(Path folder) {
    long began = System.nanoTime();
    int cpus = Sysfs.discover(folder.resolve("tree")).cpus().size();
    tell("discovery/512", System.nanoTime() - began, cpus + " CPUs");
  }

  private static void read(Path folder) throws IOException {
    List<String> names = Files.readAllLines(folder.resolve(LIST));
    byte[] buffer = new byte[4_096];
    long bytes = 0;
    long began = System.nanoTime();
    for (String name : names) {
      try (InputStream file = new FileInputStream(name)) {
        bytes += file.readNBytes(buffer, 0, buffer.length);
      }
    }
    tell("reading/512", System.nanoTime() - began, names.size() + " files, " + bytes + " bytes");
  }

  private static void tell(String name, long nanos, String outcome) {
    System.out.println(
        "{\"name\":\""
            + name
            + "\",\"ns\":"
            + nanos
            + ",\"runs\":1,\"outcome\":\""
            + outcome
            + "\"}");
  }
}
