package dev.berth.cli;

import dev.berth.demo.Mark;
import dev.berth.demo.Outcome;
import dev.berth.demo.Phase;
import dev.berth.demo.Reading;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a demonstration came to in the moments that the host left alone, for people. */
record DemoCalm(Outcome outcome) {
  /** Beside the figures of all requests; empty where the host took nothing. */
  Optional<String> words() {
    Reading shared = outcome.of(Phase.SHARED);
    Reading own = outcome.of(Phase.EXCLUSIVE);
    if (shared.requests().aside() == 0 && own.requests().aside() == 0) {
      return Optional.empty();
    }
    OptionalDouble ratio = outcome.calmRatio(Phase.SHARED, Phase.EXCLUSIVE, Mark.P999);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "The host took %s of %s on its own, and %s of %s shared. With these moments set aside"
                + " (%s and %s of the requests), %s.",
            DemoText.percent(own.stolen()),
            DemoText.cpus(own.cpus()),
            DemoText.percent(shared.stolen()),
            DemoText.cpus(shared.cpus()),
            DemoText.percent(own.requests().aside()),
            DemoText.percent(shared.requests().aside()),
            ratio.isPresent()
                ? figures(own, shared) + ": " + DemoText.gain(ratio.getAsDouble())
                : "too few are left to tell"));
  }

  private static String figures(Reading own, Reading shared) {
    return "999 of 1,000 waited no longer than "
        + Durations.words(Mark.P999.of(own.requests().calm()))
        + " on a CPU of its own, and no longer than "
        + Durations.words(Mark.P999.of(shared.requests().calm()))
        + " on shared ones";
  }
}
