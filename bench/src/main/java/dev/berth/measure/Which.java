package dev.berth.measure;

import dev.berth.demo.Phase;
import tools.jackson.databind.JsonNode;

/** Which requests of a run of {@code berth demo} are looked at. */
enum Which {
  /** The host's moments among them. */
  ALL,
  /** Those of moments in which the host took none of the CPUs. */
  CALM;

  /** What a run tells of them. */
  JsonNode of(JsonNode run, Phase phase) {
    JsonNode all = run.path("phases").path(phase.word());
    return switch (this) {
      case ALL -> all;
      case CALM -> all.path("calm");
    };
  }
}
