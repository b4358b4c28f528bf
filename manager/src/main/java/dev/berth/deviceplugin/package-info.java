/**
 * Device plugins, {@code v1beta1}: the node's side. Programs that others wrote register on a
 * socket, report their devices for as long as they live, and are asked what a container needs to
 * use one.
 *
 * {@snippet :
 * try (DevicePlugins plugins = DevicePlugins.start(folder, listener, Patience.DEFAULT)) {
 *   // the listener is told: devices("vendor.example/gpu", [gpu-0 near node 0, gpu-1 near node 1])
 *   node.prefer("vendor.example/gpu", plugins.preference("vendor.example/gpu"));
 *   switch (plugins.allocate(Map.of("vendor.example/gpu", List.of("gpu-1")))) {
 *     case Answer.Given<Handover>(Handover handover) -> start(handover.environment());
 *     case Answer.Refused<Handover>(String line) -> refuse(line);
 *   }
 * }
 * }
 *
 * <p>The rule of this package: a plugin is a stranger. Whatever it sends, however slowly, or where
 * it dies, costs a line in the log and its own devices' health, and nobody else anything. No call
 * here takes longer than its {@link dev.berth.deviceplugin.Patience} or throws because of a plugin.
 */
@NullMarked
package dev.berth.deviceplugin;

import org.jspecify.annotations.NullMarked;
