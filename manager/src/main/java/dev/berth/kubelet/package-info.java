/**
 * The files that a kubelet reads and writes: configuration, pods, checkpoints.
 *
 * <p>{@link dev.berth.kubelet.NodeSettings} reads a configuration and {@link
 * dev.berth.kubelet.PodManifest} pods, both from YAML that is bounded in depth and length and whose
 * every error has its line. {@link dev.berth.kubelet.CpuCheckpoint} reads and writes {@code
 * cpu_manager_state}, so that Berth can start where a kubelet left off, and a kubelet where Berth
 * did.
 *
 * {@snippet :
 * Configuration configuration = NodeSettings.read("berth.yaml", yaml, List.of()).configuration();
 * CpuCheckpoint checkpoint = CpuCheckpoint.read("cpu_manager_state", text);
 * Node node = Node.start(machine, configuration, checkpoint.assignments());
 * String again = CpuCheckpoint.of(node.assignments(), gates).write(); // the same bytes
 * }
 *
 * <p>The rule of this package: what it cannot vouch for, checksum included, it does not return.
 */
@NullMarked
package dev.berth.kubelet;

import org.jspecify.annotations.NullMarked;
