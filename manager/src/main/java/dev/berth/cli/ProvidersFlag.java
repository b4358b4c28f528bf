package dev.berth.cli;

import dev.berth.ledger.HintProviderFactory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flag that names a folder with hint providers. */
final class ProvidersFlag implements Part {
  private @Nullable Path folder;

  @Override
  public void addTo(Syntax syntax) {
    syntax.with(
        Option.named("--providers")
            .maybe("DIR", Path.class, value -> folder = value)
            .says(
                "A folder with jars of hint providers that take part in placement; owned by root,"
                    + " not writable by others."));
  }

  boolean isGiven() {
    return folder != null;
  }

  /**
   * The providers' factories; none where no folder is named.
   *
   * @throws dev.berth.cpu.InvalidInputException where it is not a folder to load from
   */
  List<HintProviderFactory> factories() {
    Path named = folder;
    return named == null ? List.of() : ProvidersFolder.load(named);
  }
}
