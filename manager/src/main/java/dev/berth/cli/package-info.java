/**
 * The command line: the one package that knows all the others and wires them together.
 *
 * <p>A {@link dev.berth.cli.Command} tells in a {@link dev.berth.cli.Syntax} what it understands,
 * does it when called, and returns an {@link dev.berth.cli.ExitCode}'s number. It writes what was
 * asked for to {@link dev.berth.cli.Output#out()} and words about it to {@link
 * dev.berth.cli.Output#err()}, so that a pipe only ever carries answers. It holds no rule of its
 * own: what it prints was decided elsewhere.
 *
 * <p>A new command is one class and one line in {@link dev.berth.cli.Commands}:
 *
 * {@snippet :
 * final class MachinesCommand implements Command {
 *   static final String SUMMARY = "Lists the built-in machines.";
 *
 *   private final Output output;
 *   private Form form = Form.text;
 *
 *   public CommandSpec spec() {
 *     return Syntax.of(this, "machines", SUMMARY)
 *         .with(
 *             Option.named("-o", "--output")
 *                 .takes("FORM", Form.class, form, value -> form = value)
 *                 .says("text or json."))
 *         .footer("", "Examples:", "  berth machines")
 *         .spec();
 *   }
 *
 *   public Integer call() {
 *     output.out().println("epyc-7702p");
 *     return ExitCode.DONE.number();
 *   }
 * }
 * }
 *
 * <p>The rule: no annotation of picocli's, which it would read for longer than most commands take.
 *
 * <p>Input that cannot be understood is thrown as {@link dev.berth.cpu.InvalidInputException} from
 * wherever it is read; {@link dev.berth.cli.Failures} turns every exception into one line.
 */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
