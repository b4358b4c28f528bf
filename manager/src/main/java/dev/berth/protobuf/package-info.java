/**
 * Protobuf by hand, for the few messages that somebody waits for: {@link dev.berth.protobuf.Fields}
 * reads what is asked for and passes over the rest, {@link dev.berth.protobuf.FieldWriter} writes.
 * All other messages are generated.
 *
 * <p>The rule of this package: it knows fields and their numbers, and nothing of any message.
 */
@NullMarked
package dev.berth.protobuf;

import org.jspecify.annotations.NullMarked;
