package dev.berth.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.start.BerthJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A user without any rights, whom nobody else on the machine is: whatever runs with this number was
 * started by the test.
 *
 * @param id the user's number, and the group's
 * @param home a folder of the user's own, which everybody may read
 * @param classPath our classes where this user can read them
 */
record OtherUser(int id, Path home, String classPath) {
  private static final int LOWEST = 61_000;
  private static final int COUNT = 2_000;

  /** Makes one with a home in a folder; only root can. */
  static OtherUser in(Path folder) throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root to be another user");
    assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "without setpriv");
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs, one to give away");
    assumeTrue(isOpen(Path.of(System.getProperty("java.home"))), "the JDK is root's alone");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    int id = LOWEST + (int) (ProcessHandle.current().pid() % COUNT);
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(home, "unix:uid", id);
    Files.setAttribute(home, "unix:gid", id);
    OtherUser user = new OtherUser(id, home, readable(folder.resolve("lib")));
    assumeTrue(user.processes().isEmpty(), "somebody has the number " + id);
    return user;
  }

  /** The words that make a command this user's. */
  List<String> words() {
    return words(id);
  }

  /** The words that make a command that of a third user, who has nothing here. */
  List<String> strangersWords() {
    return words(LOWEST + COUNT + 1);
  }

  private List<String> words(int user) {
    String number = String.valueOf(user);
    return List.of(
        "setpriv",
        "--reuid",
        number,
        "--regid",
        number,
        "--clear-groups",
        "env",
        "-i",
        "PATH=/usr/bin:/bin",
        "HOME=" + home,
        "XDG_STATE_HOME=" + home.resolve("state"),
        "XDG_RUNTIME_DIR=" + home.resolve("run"));
  }

  /** The processes of this user that run now. */
  List<Long> processes() throws IOException {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        if (isMine(process)) {
          found.add(Long.parseLong(String.valueOf(process.getFileName())));
        }
      }
    }
    return found;
  }

  private boolean isMine(Path process) {
    try {
      List<String> lines = Files.readAllLines(process.resolve("status"));
      return lines.stream().anyMatch(line -> line.startsWith("Uid:\t" + id + "\t"))
          && lines.stream().noneMatch(line -> line.matches("State:\\s+[ZX].*"));
    } catch (IOException e) {
      // It has ended meanwhile.
      return false;
    }
  }

  /** Kills whatever is left of this user. */
  void end() {
    RealAgent.await(
        "all processes of the user to end",
        () -> {
          List<Long> left = processes();
          left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
          return left.isEmpty();
        });
  }

  private static String readable(Path folder) throws IOException {
    Files.createDirectory(folder);
    List<String> entries = new ArrayList<>();
    for (String entry : BerthJvm.classPath().split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (Files.exists(path)) {
        Path copy = folder.resolve(entries.size() + "-" + path.getFileName());
        entries.add((isOpen(path) ? path : copied(path, copy)).toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  /** Whether everybody can get there. */
  private static boolean isOpen(Path path) throws IOException {
    for (Path at = path.toRealPath(); at != null; at = at.getParent()) {
      var permissions = Files.getPosixFilePermissions(at);
      if (!permissions.contains(PosixFilePermission.OTHERS_READ)
          || (Files.isDirectory(at) && !permissions.contains(PosixFilePermission.OTHERS_EXECUTE))) {
        return false;
      }
    }
    return true;
  }

  private static Path copied(Path from, Path to) throws IOException {
    if (Files.isDirectory(from)) {
      Files.createDirectory(to);
      try (Stream<Path> entries = Files.list(from)) {
        for (Path entry : entries.toList()) {
          copied(entry, to.resolve(from.relativize(entry)));
        }
      }
      return to;
    }
    try {
      return Files.createLink(to, from);
    } catch (FileSystemException e) {
      // On another disk.
      return Files.copy(from, to);
    }
  }
}
