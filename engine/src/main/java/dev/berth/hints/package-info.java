/** Merge of hints. */
@NullMarked
package dev.berth.hints;

import org.jspecify.annotations.NullMarked;
