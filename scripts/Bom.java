import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;

/**
 * Adds to the list of a package's components what Maven does not know of: {@code java Bom.java
 * BOM.json RUNTIME [FILE=ORIGIN...]}. RUNTIME is the JDK's runtime in the package. FILE is a file of
 * the system's in it, ORIGIN where it comes from: Debian's package and version, or nothing. Prints
 * the list. Two runs give the same bytes.
 */
final class Bom {
  private static final String COMPONENTS = "\n  \"components\" : [\n";

  private Bom() {}

  public static void main(String[] arguments) throws Exception {
    String bom = Files.readString(Path.of(arguments[0]));
    if (!bom.contains(COMPONENTS)) {
      throw new IOException(arguments[0] + ": expected a list of components, found none");
    }
    List<String> more = new ArrayList<>();
    more.add(runtime(Path.of(arguments[1])));
    for (int i = 2; i < arguments.length; i++) {
      int at = arguments[i].lastIndexOf('=');
      more.add(file(Path.of(arguments[i].substring(0, at)), arguments[i].substring(at + 1)));
    }
    System.out.print(bom.replace(COMPONENTS, COMPONENTS + String.join("", more)));
  }

  private static String runtime(Path runtime) throws IOException {
    Properties release = new Properties();
    try (var in = Files.newInputStream(runtime.resolve("release"))) {
      release.load(in);
    }
    return component(
        "platform",
        word(release, "IMPLEMENTOR"),
        "java-runtime",
        word(release, "JAVA_RUNTIME_VERSION", "JAVA_VERSION"),
        "");
  }

  private static String word(Properties release, String... names) {
    for (String name : names) {
      String value = release.getProperty(name, "").replace("\"", "");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return "unknown";
  }

  private static String file(Path file, String origin) throws Exception {
    String hash =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    String[] words = origin.isEmpty() ? new String[] {"unknown", "unknown"} : origin.split(" ", 2);
    return component(
        "file", words[0], String.valueOf(file.getFileName()), words[1],
        ",\n      \"hashes\" : [\n        {\n          \"alg\" : \"SHA-256\",\n          \"content\" : \""
            + hash
            + "\"\n        }\n      ]");
  }

  private static String component(
      String type, String group, String name, String version, String rest) {
    return """
            {
              "type" : "%s",
              "group" : "%s",
              "name" : "%s",
              "version" : "%s"%s
            },
        """
        .formatted(type, group, name, version, rest);
  }
}
