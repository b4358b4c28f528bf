/**
 * A terminal: words and tables that fit its width, and a whole screen that is drawn again and
 * again.
 *
 * <p>Whoever draws fills a {@link dev.berth.terminal.Frame}, a sheet of characters with {@link
 * dev.berth.terminal.Style styles}, as often as it likes. {@link dev.berth.terminal.FrameWriter}
 * sends only the lines that differ from the last one, so that a quiet screen costs nothing, and
 * {@link dev.berth.terminal.Terminal} gives the terminal back as it was, however the process ends.
 *
 * {@snippet :
 * try (Terminal terminal = Terminal.open(out, new FrameWriter(true, false))) {
 *   Frame frame = new Frame(terminal.size());
 *   frame.put(0, 0, "2 CPUs", Style.PLAIN.bold());
 *   terminal.show(frame);
 *   terminal.keys().next();   // Key.of('q')
 * }
 * TextTable.shortened(rows, 60, 4, 1).toString();   // column 4 gives way first, then column 1
 * }
 *
 * <p>The rule of this package: nothing reaches the terminal that could move its cursor or change
 * its colours but what is written here; a name is only ever text.
 */
@NullMarked
package dev.berth.terminal;

import org.jspecify.annotations.NullMarked;
