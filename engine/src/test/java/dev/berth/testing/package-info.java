/** What tests share: regular machines by their numbers. */
@NullMarked
package dev.berth.testing;

import org.jspecify.annotations.NullMarked;
