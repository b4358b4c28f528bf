package dev.berth.linux;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * A folder that nobody but its owner and root can change. A program that believes what is in a
 * folder does what others write there, so it looks at the owner and the mode of the folder, of the
 * files that it reads in it, and of every folder above: in one that others can write, they could
 * put another folder in its place.
 */
public final class OwnFolder {
  private static final int GROUP_WRITES = 020;
  private static final int OTHERS_WRITE = 02;

  /** In a folder with this bit, only the owner of a file can rename it. */
  private static final int STICKY = 01000;

  private static final int MODE_BITS = 07777;

  private final String what;
  private final Set<Integer> trusted = new HashSet<>();

  private OwnFolder(String what) throws IOException {
    this.what = what;
    trusted.add(0);
    trusted.add(Posix.effectiveUser());
    // In a user namespace, root of the machine has another number.
    trusted.add((Integer) Files.getAttribute(Path.of("/"), "unix:uid"));
  }

  /**
   * Checks a folder that is there.
   *
   * @param what what it is called in a message, such as {@code state folder}
   * @param files the names of the files in it that are believed, as far as there are any
   * @throws InvalidInputException where others can change it, naming what and how
   */
  public static void expect(String what, Path folder, Collection<String> files) throws IOException {
    OwnFolder check = new OwnFolder(what + " " + folder);
    Path absolute = folder.toAbsolutePath().normalize();
    check.way(absolute);
    Path real = absolute.toRealPath();
    check.way(real);
    check.own(real, Found.of(real));
    for (String name : files) {
      check.file(real.resolve(name));
    }
  }

  /** What the kernel says of a file, not of what a link leads to. */
  private record Found(int owner, int group, int mode, boolean link, boolean plain) {
    private static final int KIND = 0170000;
    private static final int LINK = 0120000;
    private static final int PLAIN = 0100000;

    static Found of(Path path) throws IOException {
      int mode = number(path, "mode");
      int kind = mode & KIND;
      return new Found(
          number(path, "uid"), number(path, "gid"), mode & MODE_BITS, kind == LINK, kind == PLAIN);
    }

    private static int number(Path path, String name) throws IOException {
      return (int) Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
    }

    boolean othersWrite() {
      return (mode & OTHERS_WRITE) != 0;
    }

    boolean groupWrites() {
      return (mode & GROUP_WRITES) != 0;
    }

    /** A user's own group has the user's number and nobody else in it. */
    boolean isOwnGroup() {
      return group == owner;
    }
  }

  /** All that leads there: links, and folders above. */
  private void way(Path path) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      Found found = Found.of(at);
      expectOwner(at, found);
      boolean open = found.othersWrite() || (found.groupWrites() && !found.isOwnGroup());
      if (open && !found.link() && !at.equals(path) && (found.mode() & STICKY) == 0) {
        throw writable(at, found);
      }
    }
  }

  private void own(Path path, Found found) throws IOException {
    if (found.othersWrite() || found.groupWrites()) {
      throw writable(path, found);
    }
  }

  private void file(Path file) throws IOException {
    try {
      Found found = Found.of(file);
      expectOwner(file, found);
      if (!found.plain()) {
        throw error(file, "a file of its own, found something else");
      }
      own(file, found);
    } catch (NoSuchFileException e) {
      // None yet.
      return;
    }
  }

  private void expectOwner(Path path, Found found) {
    if (!trusted.contains(found.owner())) {
      throw error(path, "root or this user as its owner, found user " + found.owner());
    }
  }

  private InvalidInputException writable(Path path, Found found) throws IOException {
    String words = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return error(
        path,
        "that only its owner can write it (chmod go-w), found mode " + octal(found.mode()) + words);
  }

  private static String octal(int mode) {
    return "0" + Integer.toOctalString(mode) + " ";
  }

  private InvalidInputException error(Path path, String expected) {
    String at = what.endsWith(" " + path) ? "" : ": " + path;
    return new InvalidInputException(what + at + ": expected " + expected);
  }
}
