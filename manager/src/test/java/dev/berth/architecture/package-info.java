/** The rules of the house, held by a test. */
@NullMarked
package dev.berth.architecture;

import org.jspecify.annotations.NullMarked;
