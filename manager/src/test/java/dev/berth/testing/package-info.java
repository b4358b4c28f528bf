/** What tests share: recordings, and the number of random steps. */
@NullMarked
package dev.berth.testing;

import org.jspecify.annotations.NullMarked;
