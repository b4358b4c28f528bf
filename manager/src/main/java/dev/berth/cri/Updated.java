package dev.berth.cri;

/** How a change of a container's resources went. */
public sealed interface Updated {
  /** The runtime did it. Of a container that has ended it did nothing, and says so in no way. */
  record Done() implements Updated {}

  /** The runtime has no such container any more. */
  record Gone() implements Updated {}

  /** The runtime would not or could not; everything is as before. */
  record Refused(String why) implements Updated {}
}
