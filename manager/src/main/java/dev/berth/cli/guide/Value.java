package dev.berth.cli.guide;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.ArgSpec;

/** What an option or a parameter takes, as far as a shell can help with it. */
public sealed interface Value {
  /** Nothing: it is there or not. */
  record None() implements Value {}

  /** Something that nobody can guess. */
  record Free() implements Value {}

  /** A file, or a folder. */
  record FileName() implements Value {}

  /** One of a few words. */
  record OneOf(List<String> words) implements Value {
    /** Copies them. */
    public OneOf {
      words = List.copyOf(words);
    }
  }

  /** A built-in machine. */
  record MachineName() implements Value {}

  /** A pod that the agent knows. */
  record PodName() implements Value {}

  /** A command of this program. */
  record CommandName() implements Value {}

  /** By the type of an argument, and the word that help has for it. */
  static Value of(ArgSpec argument) {
    Iterable<String> candidates = argument.completionCandidates();
    if (argument.arity().max() == 0) {
      return new None();
    }
    if (candidates != null && candidates.iterator().hasNext()) {
      List<String> words = new ArrayList<>();
      candidates.forEach(word -> words.add(word.toLowerCase(Locale.ROOT)));
      return new OneOf(words);
    }
    if (argument.auxiliaryTypes()[0] == Path.class) {
      return new FileName();
    }
    return switch (argument.paramLabel()) {
      case "NAME-OR-SPEC" -> new MachineName();
      case "POD" -> new PodName();
      // One that must be there is somebody else's program.
      case "COMMAND" -> argument.arity().min() > 0 ? new FileName() : new CommandName();
      default -> new Free();
    };
  }
}
