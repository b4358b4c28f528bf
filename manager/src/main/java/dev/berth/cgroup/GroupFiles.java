package dev.berth.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folders and files that groups are made of: the kernel's, or pretended ones. */
interface GroupFiles {
  /** A file that is read again and again. */
  interface Kept {
    /** The text as it is now without white space around it, or null where there is no such file. */
    @Nullable String read() throws IOException;

    /** It is not read any more, or not soon. */
    void close();
  }

  /** A file to be read many times, whether it is there yet or not. */
  default Kept keep(Path file) {
    return new Kept() {
      @Override
      public @Nullable String read() throws IOException {
        return GroupFiles.this.read(file);
      }

      @Override
      public void close() {
        // Nothing is held between two reads.
      }
    };
  }

  /** The text without white space around it, or null where there is no such file. */
  @Nullable String read(Path file) throws IOException;

  /** Writes all of it at once, as the kernel wants it, to a file that is there. */
  void write(Path file, String value) throws IOException;

  /** Makes a folder; false where it was there. */
  boolean make(Path folder) throws IOException;

  /** Removes a folder that holds no other; false where there was none. */
  boolean remove(Path folder) throws IOException;

  boolean isFolder(Path path);

  /** The names of the folders in a folder, sorted; none where it is not there. */
  List<String> folders(Path folder) throws IOException;
}
