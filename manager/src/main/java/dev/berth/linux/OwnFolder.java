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
import java.util.Map;
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
    check.own(real);
    for (String name : files) {
      check.file(real.resolve(name));
    }
  }

  /** All that leads there: links, and folders above. */
  private void way(Path path) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      Map<String, Object> found = attributes(at);
      expectOwner(at, found);
      int mode = mode(found);
      boolean link = (boolean) found.get("isSymbolicLink");
      // A user's own group has the user's number and nobody else in it.
      boolean group = (mode & GROUP_WRITES) != 0 && !found.get("gid").equals(found.get("uid"));
      if (!link && !at.equals(path) && (mode & STICKY) == 0 && (group || others(mode))) {
        throw writable(at, mode);
      }
    }
  }

  private void own(Path folder) throws IOException {
    int mode = mode(attributes(folder));
    if (others(mode) || (mode & GROUP_WRITES) != 0) {
      throw writable(folder, mode);
    }
  }

  private void file(Path file) throws IOException {
    try {
      Map<String, Object> found = attributes(file);
      expectOwner(file, found);
      if (!(boolean) found.get("isRegularFile")) {
        throw error(file, "a file of its own, found something else");
      }
      own(file);
    } catch (NoSuchFileException e) {
      // None yet.
      return;
    }
  }

  private static Map<String, Object> attributes(Path path) throws IOException {
    return Files.readAttributes(
        path, "unix:uid,gid,mode,isSymbolicLink,isRegularFile", LinkOption.NOFOLLOW_LINKS);
  }

  private static int mode(Map<String, Object> attributes) {
    return (int) attributes.get("mode") & MODE_BITS;
  }

  private static boolean others(int mode) {
    return (mode & OTHERS_WRITE) != 0;
  }

  private void expectOwner(Path path, Map<String, Object> found) {
    int owner = (int) found.get("uid");
    if (!trusted.contains(owner)) {
      throw error(path, "root or this user as its owner, found user " + owner);
    }
  }

  private InvalidInputException writable(Path path, int mode) throws IOException {
    String words = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return error(
        path, "that only its owner can write it (chmod go-w), found mode " + octal(mode) + words);
  }

  private static String octal(int mode) {
    return "0" + Integer.toOctalString(mode) + " ";
  }

  private InvalidInputException error(Path path, String expected) {
    String at = what.endsWith(" " + path) ? "" : ": " + path;
    return new InvalidInputException(what + at + ": expected " + expected);
  }
}
