/**
 * The command line: the one package that knows all the others and wires them together.
 *
 * <p>A command is a class with picocli's annotations that returns an {@link
 * dev.berth.cli.ExitCode}'s number. It writes what was asked for to {@link
 * dev.berth.cli.Output#out()} and words about it to {@link dev.berth.cli.Output#err()}, so that a
 * pipe only ever carries answers. It holds no rule of its own: what it prints was decided
 * elsewhere.
 *
 * <p>A new command is one class and one line in {@link dev.berth.cli.Commands}:
 *
 * <pre>{@code
 * @Command(name = "machines", description = "Lists the built-in machines.")
 * final class MachinesCommand implements Callable<Integer> {
 *   private final Output output;
 *   ...
 *   public Integer call() {
 *     output.out().println("epyc-7702p");
 *     return ExitCode.DONE.number();
 *   }
 * }
 * }</pre>
 *
 * <p>Input that cannot be understood is thrown as {@link dev.berth.cpu.InvalidInputException} from
 * wherever it is read; {@link dev.berth.cli.Failures} turns every exception into one line.
 */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
