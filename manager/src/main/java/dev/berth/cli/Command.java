package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command: it reads one line, and called once, it does what was asked and answers with its exit
 * code.
 */
interface Command extends Callable<Integer> {
  /** What it is called, says of itself and understands; read words go into its fields. */
  CommandSpec spec();
}
