/**
 * The kubelet's own files, byte for byte.
 *
 * <p>{@link dev.berth.kubelet.CpuCheckpoint} reads and writes {@code cpu_manager_state}, so that
 * Berth can start where a kubelet left off, and a kubelet where Berth did.
 *
 * {@snippet :
 * CpuCheckpoint checkpoint = CpuCheckpoint.read("cpu_manager_state", text);
 * Node node = Node.start(machine, configuration, checkpoint.assignments());
 * String again = CpuCheckpoint.of(node.assignments()).write(); // the same bytes
 * }
 *
 * <p>The rule of this package: what it cannot vouch for, checksum included, it does not return.
 */
@NullMarked
package dev.berth.kubelet;

import org.jspecify.annotations.NullMarked;
