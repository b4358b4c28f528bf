/**
 * Real container runtimes for tests, as a node has them: containerd or CRI-O with its own folders
 * and sockets, the groups a kubelet would make, pods that are driven as a kubelet drives them, and
 * a kubelet itself.
 *
 * {@snippet :
 * try (RealContainerd containerd = RealContainerd.current()) {
 *   RealPod pod = containerd.pods().run("web", QosClass.GUARANTEED);
 *   String app = pod.start("app", Asks.limited(1_000, 16 << 20), "sleep 1000");
 *   containerd.kill();
 *   containerd.restart();
 *   pod.remove();
 * }
 * }
 *
 * <p>The rule of this package: whatever a test does or fails at, closing leaves no process, mount,
 * group or file behind, and nothing of this machine's own runtimes is touched. What these need is
 * made by {@code prepare} in {@code e2e/runtime}, {@code e2e/crio} and {@code e2e/kubelet}; where
 * it is absent, the test is skipped.
 */
@NullMarked
package dev.berth.runtime;

import org.jspecify.annotations.NullMarked;
