import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar anew with class files of Java 8: {@code java Renew.java OLD.jar NEW.jar}.
 *
 * <p>Picocli's are of Java 5, which has no stack maps. The JVM's cache takes no such class, and
 * loading them took a third of a short command's time. Two runs give the same bytes.
 *
 * <p>The new ones do not look at methods. Picocli would read the annotations of each in search of
 * commands and options, those of {@code Object} too, which made the JVM generate classes for a tenth
 * of a short command's time. Ours are on classes and fields.
 */
final class Renew {
  private static final int FIRST_WITH_STACK_MAPS = ClassFile.JAVA_6_VERSION;
  private static final int RENEWED = ClassFile.JAVA_8_VERSION;

  private static final ClassDesc METHOD = ClassDesc.of("java.lang.reflect.Method");

  private final ZipFile jar;
  private final ClassFile files;

  private Renew(ZipFile jar) {
    this.jar = jar;
    ClassHierarchyResolver parents =
        ClassHierarchyResolver.ofResourceParsing(this::source)
            .orElse(ClassHierarchyResolver.defaultResolver());
    // A new pool, for code that shares the old one is copied as it is, without stack maps.
    this.files =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(parents));
  }

  public static void main(String[] arguments) throws IOException {
    try (ZipFile old = new ZipFile(arguments[0]);
        var renewed = new ZipOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
      new Renew(old).write(renewed);
    }
  }

  private void write(ZipOutputStream renewed) throws IOException {
    List<? extends ZipEntry> entries =
        jar.stream().sorted(Comparator.comparing(ZipEntry::getName)).toList();
    for (ZipEntry entry : entries) {
      byte[] content = jar.getInputStream(entry).readAllBytes();
      var copy = new ZipEntry(entry.getName());
      copy.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
      renewed.putNextEntry(copy);
      renewed.write(isOld(entry, content) ? renew(entry, content) : content);
      renewed.closeEntry();
    }
  }

  private static boolean isOld(ZipEntry entry, byte[] content) {
    return entry.getName().endsWith(".class")
        && ((content[6] & 0xff) << 8 | content[7] & 0xff) < FIRST_WITH_STACK_MAPS;
  }

  private byte[] renew(ZipEntry entry, byte[] content) {
    byte[] renewed =
        files.transformClass(
            files.parse(content),
            (builder, element) -> {
              switch (element) {
                case ClassFileVersion _ -> builder.withVersion(RENEWED, 0);
                case MethodModel method ->
                    builder.transformMethod(method, MethodTransform.transformingCode(Renew::code));
                default -> builder.with(element);
              }
            });
    List<VerifyError> faults = files.verify(renewed);
    if (!faults.isEmpty()) {
      throw new IllegalStateException(entry.getName() + ": " + faults.getFirst().getMessage());
    }
    return renewed;
  }

  private static void code(CodeBuilder builder, CodeElement element) {
    if (element instanceof InvokeInstruction call
        && call.owner().asInternalName().equals("java/lang/Class")
        && call.name().equalsString("getDeclaredMethods")) {
      builder.pop().iconst_0().anewarray(METHOD);
    } else {
      builder.with(element);
    }
  }

  private InputStream source(ClassDesc type) {
    String name = type.descriptorString();
    ZipEntry entry = jar.getEntry(name.substring(1, name.length() - 1) + ".class");
    try {
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
