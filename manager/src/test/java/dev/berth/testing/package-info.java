/** What tests share: the recordings. */
@NullMarked
package dev.berth.testing;

import org.jspecify.annotations.NullMarked;
