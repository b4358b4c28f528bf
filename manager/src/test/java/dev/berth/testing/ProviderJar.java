package dev.berth.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The documents' hint provider, compiled and packed as somebody else would do it. */
public final class ProviderJar {
  private static final String SERVICE = "META-INF/services/dev.berth.ledger.HintProviderFactory";

  private ProviderJar() {}

  /**
   * Makes {@code fpga.jar} in a folder, with a provider of four {@code example.com/fpga-region} on
   * each NUMA node.
   */
  public static Path in(Path folder) throws IOException {
    Path classes = Files.createDirectories(folder.resolveSibling("fpga-classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int failed =
        compiler.run(
            null,
            null,
            null,
            "--release",
            "21",
            "-proc:none",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            "../engine/src/test/java/example/fpga/FpgaRegions.java");
    if (failed != 0) {
      throw new IllegalStateException("the provider does not compile");
    }
    Path jar = Files.createDirectories(folder).resolve("fpga.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
      out.putNextEntry(new JarEntry(SERVICE));
      out.write("example.fpga.FpgaRegions$Factory\n".getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    for (Path path : List.of(folder, jar)) {
      Files.setPosixFilePermissions(
          path,
          PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }
    return jar;
  }
}
