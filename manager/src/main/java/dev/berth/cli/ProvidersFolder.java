package dev.berth.cli;

import dev.berth.cpu.InvalidInputException;
import dev.berth.ledger.HintProviderFactory;
import dev.berth.ledger.HintProviders;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A folder with jars whose hint providers take part in placement.
 *
 * <p>What is in there runs with all that the agent may do. So nobody but root, or whoever runs us,
 * may be able to change it: not a jar, not the folder, and no folder above it.
 */
final class ProvidersFolder {
  private static final String FLAG = "--providers: ";
  private static final int OTHERS_WRITE = 0022;
  private static final int STICKY = 01000;

  private ProvidersFolder() {}

  /**
   * The factories in all jars of a folder, in the order of their names.
   *
   * @throws InvalidInputException where others could change what is in there, or it has none
   */
  static List<HintProviderFactory> load(Path folder) {
    List<Path> jars = jars(folder);
    // Never closed: its classes are in use for as long as the program runs.
    URLClassLoader loader =
        new URLClassLoader(
            jars.stream().map(ProvidersFolder::url).toArray(URL[]::new),
            HintProviders.class.getClassLoader());
    List<HintProviderFactory> factories = HintProviders.factories(loader);
    if (factories.isEmpty()) {
      throw new InvalidInputException(
          FLAG
              + folder
              + ": expected a jar with META-INF/services/"
              + HintProviderFactory.class.getName()
              + ", found none");
    }
    return factories;
  }

  private static List<Path> jars(Path folder) {
    try {
      Path real = folder.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new InvalidInputException(FLAG + folder + ": expected a folder, found a file");
      }
      checkWithParents(real);
      List<Path> jars = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(real, "*.jar")) {
        for (Path entry : entries) {
          Path jar = entry.toRealPath();
          checkWithParents(jar);
          jars.add(jar);
        }
      }
      jars.sort(null);
      return jars;
    } catch (IOException e) {
      throw new InvalidInputException(
          FLAG + folder + ": expected a folder that can be read, found " + e, e);
    }
  }

  private static void checkWithParents(Path path) throws IOException {
    check(path, false);
    for (Path above = path.getParent(); above != null; above = above.getParent()) {
      check(above, true);
    }
  }

  /** In a folder with the sticky bit, such as /tmp, others cannot replace what is not theirs. */
  private static void check(Path path, boolean above) throws IOException {
    Map<String, Object> attributes = Files.readAttributes(path, "unix:uid,mode");
    int owner = (Integer) attributes.getOrDefault("uid", -1);
    int mode = (Integer) attributes.getOrDefault("mode", 0777);
    int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (owner != 0 && owner != self) {
      throw new InvalidInputException(
          FLAG
              + path
              + ": expected it to be owned by root"
              + (self == 0 ? "" : " or by user " + self)
              + ", found user "
              + owner);
    }
    if ((mode & OTHERS_WRITE) != 0 && !(above && (mode & STICKY) != 0)) {
      throw new InvalidInputException(
          FLAG
              + path
              + ": expected that nobody else can write it, found mode "
              + String.format("%04o", mode & 07777));
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new InvalidInputException(FLAG + jar + ": expected a file name, found " + e, e);
    }
  }
}
