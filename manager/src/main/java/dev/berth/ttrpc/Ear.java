package dev.berth.ttrpc;

import java.io.IOException;

/** Hears what comes over a wire, on the wire's own thread. */
public interface Ear {
  /**
   * Bytes came. Not kept by whoever sends them.
   *
   * @throws IOException where they make no sense: then nothing more is to be heard
   */
  void hear(byte[] bytes, int at, int length) throws IOException;

  /** Nothing more comes, for this reason. */
  void end(String why);
}
