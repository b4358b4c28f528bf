/**
 * What is told about the command line itself, made from picocli's model of it: scripts that
 * complete commands in a shell, and pages of the manual.
 *
 * <p>{@link dev.berth.cli.guide.Guide} reads the model into plain values, so that a new command or
 * option is completed and described without a line here.
 *
 * {@snippet :
 * Guide guide = Guide.of(commandLine);
 * Completion.script(Shell.ZSH, guide, machineNames);
 * ManPage.of(guide.command("state show").orElseThrow());
 * }
 *
 * <p>The rule of this package: nothing about a command is written here that the command does not
 * say of itself.
 */
@NullMarked
package dev.berth.cli.guide;

import org.jspecify.annotations.NullMarked;
