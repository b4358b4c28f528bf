/**
 * The packages that {@code scripts/package} makes, each started as whoever gets it would: unpacked,
 * installed, or run by a container runtime, without any Java of this machine.
 *
 * {@snippet :
 * Path archive = Packages.named("berth-*.tar.gz");
 * Packages.run(folder, "bin/berth", "--version").said();
 * }
 *
 * <p>The rule of this package: nothing is installed on this machine. Where the packages were not
 * made, the tests are skipped.
 */
@NullMarked
package dev.berth.packages;

import org.jspecify.annotations.NullMarked;
