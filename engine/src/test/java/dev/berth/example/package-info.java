/** What docs/library.md shows, as code that is compiled and run. */
@NullMarked
package dev.berth.example;

import org.jspecify.annotations.NullMarked;
