package dev.berth.cli;

import dev.berth.cli.WatchedOutputStream.FailedWriteException;
import dev.berth.cpu.InvalidInputException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into one line for the person who asked, and an exit code. */
final class Failures {
  private final PrintStream err;
  private final boolean debug;

  Failures(PrintStream err, Map<String, String> environment) {
    this.err = err;
    this.debug = !environment.getOrDefault("BERTH_DEBUG", "").isEmpty();
  }

  /** The command line itself was wrong. */
  ExitCode usage(ParameterException e) {
    trace(e);
    String name = e.getCommandLine().getCommandSpec().qualifiedName();
    line(usageMessage(e) + " (see " + name + " --help)");
    return ExitCode.INVALID;
  }

  /** What a command has thrown. */
  ExitCode report(Exception e, CommandLine command) {
    return e instanceof UsageException
        ? usage(new ParameterException(command, String.valueOf(e.getMessage()), e))
        : report(e);
  }

  /** Anything else. */
  ExitCode report(Throwable e) {
    return switch (e) {
      case FailedWriteException failed -> unwritable(failed);
      case AgentClient.UnreachableException gone -> {
        trace(gone);
        line(String.valueOf(gone.getMessage()));
        yield ExitCode.UNREACHABLE;
      }
      case AgentClient.NotFoundException unknown -> {
        trace(unknown);
        line(String.valueOf(unknown.getMessage()));
        yield ExitCode.REFUSED;
      }
      case InvalidInputException invalid -> invalid(invalid, String.valueOf(invalid.getMessage()));
      case FileSystemException file -> invalid(file, describe(file));
      default -> internal(e);
    };
  }

  private ExitCode invalid(Exception e, String message) {
    trace(e);
    line(message);
    return ExitCode.INVALID;
  }

  private ExitCode unwritable(FailedWriteException e) {
    if (e.readerIsGone()) {
      return ExitCode.PIPE_CLOSED;
    }
    trace(e);
    line("cannot write to standard output: " + e.getMessage());
    return ExitCode.UNWRITABLE;
  }

  private ExitCode internal(Throwable e) {
    trace(e);
    line("internal error: " + e + (debug ? "" : " (BERTH_DEBUG=1 prints the stack trace)"));
    return ExitCode.INTERNAL;
  }

  private void trace(Throwable e) {
    if (debug) {
      e.printStackTrace(err);
    }
  }

  private void line(String message) {
    err.println("berth: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    err.flush();
  }

  /** A converter's own words are better than picocli's about the converter. */
  private static String usageMessage(ParameterException e) {
    if (e.getCause() instanceof InvalidInputException invalid) {
      return String.valueOf(invalid.getMessage());
    }
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatchedMessage(unmatched);
    }
    String message = UsageWords.plain(String.valueOf(e.getMessage()));
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String unmatchedMessage(UnmatchedArgumentException e) {
    String kind = "unexpected argument";
    if (e.isUnknownOption()) {
      kind = "unknown option";
    } else if (!e.getCommandLine().getSubcommands().isEmpty()) {
      kind = "unknown command";
    }
    List<String> near = e.getSuggestions();
    String hint = near.isEmpty() ? "" : ", did you mean " + String.join(" or ", near) + "?";
    return kind + " '" + e.getUnmatched().getFirst() + "'" + hint;
  }

  private static String describe(FileSystemException e) {
    String reason =
        switch (e) {
          case NoSuchFileException _ -> "no such file";
          case AccessDeniedException _ -> "permission denied";
          default -> e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        };
    return e.getFile() + ": " + reason;
  }
}
