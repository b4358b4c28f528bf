/** How tests start Berth as a program. */
@NullMarked
package dev.berth.start;

import org.jspecify.annotations.NullMarked;
