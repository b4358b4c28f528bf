package dev.berth.linux;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cpu.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnFolderTest {
  private static final int SOMEBODY = 61_234;

  @TempDir private Path temporary;
  private Path above;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    above = Files.createDirectory(temporary.resolve("above"));
    folder = Files.createDirectory(above.resolve("berth"));
    mode(above, "rwxr-xr-x");
    mode(folder, "rwx------");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void give(Path path, String whose) throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root to give files away");
    Files.setAttribute(path, whose, SOMEBODY);
  }

  private void accepts() {
    assertThatCode(() -> OwnFolder.expect("state folder", folder, List.of("journal")))
        .doesNotThrowAnyException();
  }

  private void refuses(String words) {
    assertThatThrownBy(() -> OwnFolder.expect("state folder", folder, List.of("journal")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwx------", "rwxr-xr-x", "rwxr-x---"})
  void aFolderThatOnlyItsOwnerWritesIsOurs(String mode) throws IOException {
    mode(folder, mode);
    mode(Files.createFile(folder.resolve("journal")), "rw-r--r--");
    accepts();
  }

  @Test
  void aFolderThatOthersWriteIsRefused() throws IOException {
    mode(folder, "rwxrwx---");
    refuses(
        "state folder "
            + folder
            + ": expected that only its owner can write it (chmod go-w), found mode 0770"
            + " rwxrwx---");
    mode(folder, "rwx----w-");
    refuses(
        "state folder "
            + folder
            + ": expected that only its owner can write it (chmod go-w), found mode 0702"
            + " rwx----w-");
  }

  @Test
  void aFolderOfAnotherUserIsRefused() throws IOException {
    give(folder, "unix:uid");
    refuses(
        "state folder "
            + folder
            + ": expected root or this user as its owner, found user "
            + SOMEBODY);
  }

  @Test
  void whereOthersCouldPutAnotherInItsPlaceItIsRefused() throws IOException {
    mode(above, "rwxrwxrwx");
    refuses(
        "state folder "
            + folder
            + ": "
            + above
            + ": expected that only its owner can write it (chmod go-w), found mode 0777"
            + " rwxrwxrwx");
    Files.setAttribute(above, "unix:mode", 01777);
    accepts();
    mode(above, "rwxr-xr-x");
    give(above, "unix:uid");
    refuses(
        "state folder "
            + folder
            + ": "
            + above
            + ": expected root or this user as its owner, found user "
            + SOMEBODY);
  }

  @Test
  void aGroupThatIsTheOwnersAloneMayWriteAbove() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root's own group");
    mode(above, "rwxrwxr-x");
    accepts();
    give(above, "unix:gid");
    refuses(
        "state folder "
            + folder
            + ": "
            + above
            + ": expected that only its owner can write it (chmod go-w), found mode 0775"
            + " rwxrwxr-x");
  }

  @Test
  void aLinkInAFolderThatOthersWriteIsRefused() throws IOException {
    Path open = Files.createDirectory(temporary.resolve("open"));
    Path link = Files.createSymbolicLink(open.resolve("link"), folder);
    folder = link;
    accepts();
    Files.setAttribute(open, "unix:mode", 0777);
    refuses(
        "state folder "
            + link
            + ": "
            + open
            + ": expected that only its owner can write it (chmod go-w), found mode 0777"
            + " rwxrwxrwx");
  }

  @Test
  void aFileInItThatOthersWriteIsRefused() throws IOException {
    Path journal = Files.createFile(folder.resolve("journal"));
    mode(journal, "rw-rw-rw-");
    refuses(
        "state folder "
            + folder
            + ": "
            + journal
            + ": expected that only its owner can write it (chmod go-w), found mode 0666"
            + " rw-rw-rw-");
    mode(journal, "rw-------");
    accepts();
    Files.delete(journal);
    Files.createSymbolicLink(journal, Path.of("/etc/passwd"));
    refuses(
        "state folder "
            + folder
            + ": "
            + journal
            + ": expected a file of its own, found something else");
  }
}
