/**
 * What {@code berth watch} shows: a machine, who has which of its CPUs, and what happens there.
 *
 * <p>Everything that comes in, from the agent and from the keyboard, is {@link
 * dev.berth.cli.watch.News} in one queue. One thread takes it out, lets {@link
 * dev.berth.cli.watch.WatchModel} change, and has {@link dev.berth.cli.watch.WatchView}, a pure
 * function of model, size and time, draw it. So a screen can be tested without a terminal, and a
 * session without an agent:
 *
 * {@snippet :
 * WatchModel model = new WatchModel();
 * model.take(new News.Seen(machine, status, true, 4711));
 * model.take(new News.Pressed(Key.of('j')));
 * Frame frame = WatchView.draw(model, new Size(80, 24), "12:00:00");
 * frame.lines();
 * }
 *
 * <p>The rule of this package: whatever can be seen in colours can be seen without.
 */
@NullMarked
package dev.berth.cli.watch;

import org.jspecify.annotations.NullMarked;
