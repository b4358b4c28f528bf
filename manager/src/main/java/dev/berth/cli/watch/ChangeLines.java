package dev.berth.cli.watch;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Makes lines of what changes, for those who have no screen: each thing once. */
final class ChangeLines {
  private boolean isThere;
  private boolean isTold;
  private long last;

  /** Its line; none where it says nothing new. */
  Optional<String> of(News news) {
    return switch (news) {
      case News.Seen now -> seen(now);
      case News.Told told -> told(told);
      case News.Lost lost -> lost(lost);
      case News.Explained _, News.Measured _, News.Pressed _, News.Resized _ -> Optional.empty();
    };
  }

  private Optional<String> seen(News.Seen now) {
    if (isThere) {
      return Optional.empty();
    }
    isThere = true;
    Status status = now.status();
    return Optional.of(
        line(
            "watching: "
                + status.machine()
                + ", "
                + status.policies()
                + "; "
                + WatchView.summary(status)));
  }

  /** An agent begins with what has been; one that is new begins to count anew. */
  private Optional<String> told(News.Told told) {
    if (told.number() <= last) {
      return Optional.empty();
    }
    last = told.number();
    return Optional.of(told.line());
  }

  private Optional<String> lost(News.Lost lost) {
    if (isTold && !isThere) {
      return Optional.empty();
    }
    isTold = true;
    isThere = false;
    last = 0;
    return Optional.of(line("gone: " + lost.why()));
  }

  private static String line(String words) {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + words;
  }
}
