package dev.berth.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.cpu.CpuSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The few system calls that the JDK has no method for. What fails is an {@link IOException} with
 * one line: the call, what it was about, and the kernel's words.
 */
public final class Posix {
  /** Ends a process at once. */
  public static final int SIGKILL = 9;

  /** Asks a process to end. */
  public static final int SIGTERM = 15;

  /** Asks a process to stop for a while, as Ctrl-Z does. */
  public static final int SIGTSTP = 20;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERROR = Linker.Option.captureCallState("errno");
  private static final Linker.Option VARIADIC = Linker.Option.firstVariadicArg(2);
  private static final StructLayout ERROR_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR_NUMBER =
      ERROR_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle EXECVE =
      call("execve", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle SIGNAL_MASK =
      call("pthread_sigmask", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle DESCRIPTOR =
      call("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), VARIADIC);
  private static final MethodHandle KILL =
      call("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle SET_AFFINITY =
      call("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle GET_AFFINITY =
      call("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle ATTRIBUTES =
      call(
          "syscall",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle USER = call("geteuid", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle WORDS =
      downcall("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  /** The kernel wants at least as many bits as it was built for, 8192 at most so far. */
  private static final int LEAST_BYTES = 1_024;

  private static final int MOST_BYTES = 1 << 17;
  private static final int INVALID = 22;
  private static final int SET_MASK = 2;
  private static final int SIGNAL_SET_BYTES = 128;
  private static final int SET_FLAGS = 2;
  private static final int CLOSE_ON_EXEC = 1;

  private Posix() {}

  /** A call that leaves its error number behind. */
  static MethodHandle call(String name, FunctionDescriptor function, Linker.Option... more) {
    return downcall(
        name,
        function,
        Stream.concat(Stream.of(ERROR), Stream.of(more)).toArray(Linker.Option[]::new));
  }

  @SuppressWarnings("restricted") // System calls are what this class is for.
  private static MethodHandle downcall(
      String name, FunctionDescriptor function, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), function, options);
  }

  /** What a call came to. */
  record Outcome(int value, int error) {
    boolean failed() {
      return value < 0;
    }

    IOException failure(String what) {
      return new IOException(what + ": " + words(error));
    }
  }

  /** A call. */
  @FunctionalInterface
  interface Body {
    int run(MemorySegment error) throws Throwable;
  }

  static Outcome outcome(Arena arena, Body body) {
    MemorySegment error = arena.allocate(ERROR_LAYOUT);
    try {
      int value = body.run(error);
      return new Outcome(value, value < 0 ? (int) ERROR_NUMBER.get(error, 0L) : 0);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a system call cannot throw", e);
    }
  }

  @SuppressWarnings("restricted") // The C library's words are a string of unknown length.
  private static String words(int error) {
    try {
      MemorySegment text = (MemorySegment) WORDS.invokeExact(error);
      return text.reinterpret(256).getString(0) + " (errno " + error + ")";
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a system call cannot throw", e);
    }
  }

  /**
   * Replaces this program by another in the same process, which keeps its number, its groups, its
   * open files and, of its threads, only the calling one: with that one's affinity. What the JVM
   * set up for itself is undone: no signal is blocked, and its own files are closed.
   *
   * @param path the program's file
   * @param arguments all of them, the program's own name first
   * @param environment {@code NAME=value} each
   * @throws IOException where the kernel refuses; otherwise this does not return
   */
  public static void execve(String path, List<String> arguments, List<String> environment)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocateFrom(path);
      MemorySegment arrayOfArguments = strings(arena, arguments);
      MemorySegment arrayOfVariables = strings(arena, environment);
      MemorySegment none = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES);
      MemorySegment blocked = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES);
      closeOwnFilesOnExec(arena);
      outcome(arena, error -> (int) SIGNAL_MASK.invokeExact(error, SET_MASK, none, blocked));
      Outcome outcome =
          outcome(
              arena,
              error -> (int) EXECVE.invokeExact(error, file, arrayOfArguments, arrayOfVariables));
      outcome(
          arena,
          error -> (int) SIGNAL_MASK.invokeExact(error, SET_MASK, blocked, MemorySegment.NULL));
      throw outcome.failure("execve " + path);
    }
  }

  /** The JVM opens its own classes such that they would stay open in the next program. */
  private static void closeOwnFilesOnExec(Arena arena) throws IOException {
    Path home = Path.of(System.getProperty("java.home", "/")).toRealPath();
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path link : open) {
        if (Files.exists(link) && Files.readSymbolicLink(link).startsWith(home)) {
          int descriptor = Integer.parseInt(String.valueOf(link.getFileName()));
          outcome(
              arena,
              error -> (int) DESCRIPTOR.invokeExact(error, descriptor, SET_FLAGS, CLOSE_ON_EXEC));
        }
      }
    }
  }

  private static MemorySegment strings(Arena arena, List<String> strings) {
    MemorySegment array = arena.allocate(ADDRESS, strings.size() + 1L);
    for (int i = 0; i < strings.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(strings.get(i)));
    }
    array.setAtIndex(ADDRESS, strings.size(), MemorySegment.NULL);
    return array;
  }

  /**
   * Sends a signal to a process; signal 0 only asks whether that could be done.
   *
   * @throws IOException where there is no such process, or it is not ours
   */
  public static void kill(long pid, int signal) throws IOException {
    if (pid <= 0) {
      // To the kernel these are whole groups of processes.
      throw new IOException("kill: expected the number of one process, found " + pid);
    }
    try (Arena arena = Arena.ofConfined()) {
      int process = Math.toIntExact(pid);
      Outcome outcome = outcome(arena, error -> (int) KILL.invokeExact(error, process, signal));
      if (outcome.failed()) {
        throw outcome.failure("kill " + pid + " with signal " + signal);
      }
    }
  }

  /**
   * Sets the CPUs that one thread may run on.
   *
   * @param tid the thread, or 0 for the calling one
   * @throws IOException where there is no such thread, it is not ours, or it may use none of them
   */
  public static void setAffinity(long tid, CpuSet cpus) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int thread = Math.toIntExact(tid);
      long bytes = Math.max(LEAST_BYTES, (long) cpus.wordCount() * Long.BYTES);
      MemorySegment mask = arena.allocate(bytes, Long.BYTES);
      for (int i = 0; i < cpus.wordCount(); i++) {
        mask.setAtIndex(JAVA_LONG, i, cpus.word(i));
      }
      Outcome outcome =
          outcome(arena, error -> (int) SET_AFFINITY.invokeExact(error, thread, bytes, mask));
      if (outcome.failed()) {
        throw outcome.failure("sched_setaffinity of thread " + tid + " to CPUs " + cpus);
      }
    }
  }

  /**
   * The CPUs that one thread may run on.
   *
   * @param tid the thread, or 0 for the calling one
   * @throws IOException where there is no such thread
   */
  public static CpuSet affinity(long tid) throws IOException {
    int thread = Math.toIntExact(tid);
    for (long bytes = LEAST_BYTES; ; bytes *= 2) {
      try (Arena arena = Arena.ofConfined()) {
        long size = bytes;
        MemorySegment mask = arena.allocate(size, Long.BYTES);
        Outcome outcome =
            outcome(arena, error -> (int) GET_AFFINITY.invokeExact(error, thread, size, mask));
        if (!outcome.failed()) {
          return CpuSet.ofWords(mask.toArray(JAVA_LONG));
        }
        if (outcome.error() != INVALID || bytes >= MOST_BYTES) {
          throw outcome.failure("sched_getaffinity of thread " + tid);
        }
      }
    }
  }

  /**
   * Reads how the kernel schedules a thread, into its {@code struct sched_attr}.
   *
   * @param tid the thread, or 0 for the calling one
   * @return false where the kernel does not tell
   */
  static boolean attributes(int tid, MemorySegment attributes) {
    int size = (int) attributes.byteSize();
    return attributeCall(1, tid, attributes, size);
  }

  /**
   * Has the calling thread be scheduled so.
   *
   * @return false where the kernel refuses
   */
  static boolean setAttributes(MemorySegment attributes) {
    return attributeCall(0, 0, attributes, 0);
  }

  /**
   * The C library has no function for these before 2.41; reading comes after writing everywhere.
   */
  private static boolean attributeCall(int which, int tid, MemorySegment attributes, int size) {
    long first =
        switch (System.getProperty("os.arch", "")) {
          case "amd64" -> 314;
          case "aarch64", "riscv64", "loongarch64" -> 274;
          case "ppc64le" -> 355;
          case "s390x" -> 345;
          default -> -1;
        };
    if (first < 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      return !outcome(
              arena,
              error ->
                  (int)
                      (long) ATTRIBUTES.invokeExact(error, first + which, tid, attributes, size, 0))
          .failed();
    }
  }

  /** The user on whose behalf this process acts; 0 is root. */
  public static int effectiveUser() {
    try (Arena arena = Arena.ofConfined()) {
      return outcome(arena, error -> (int) USER.invokeExact(error)).value();
    }
  }
}
