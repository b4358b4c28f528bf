/** A provider as someone else would write it: the example of {@code docs/providers.md}. */
@NullMarked
package example.fpga;

import org.jspecify.annotations.NullMarked;
