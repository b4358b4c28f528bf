/**
 * Containers that another runtime starts, and what they ask for as far as one can tell.
 *
 * <p>A runtime is not told what a pod requests. It is told what the kubelet made of it: CPU shares,
 * quota and period, a memory limit, and the group under which the pod lives, whose name has the QoS
 * class in it. {@link dev.berth.guest.GuestRequest} reads that backwards.
 *
 * {@snippet :
 * GuestContainer container = new GuestContainer(uid, "default", "db", "app", id, sandbox,
 *     "/kubepods/pod" + uid, Map.of(), allowance);
 * GuestRequest request = GuestRequest.of(container);
 * Decision decision = node.admit(request.pod());
 * }
 *
 * <p>A runtime creates one container at a time and never says which others follow, so each is a pod
 * of its own to the engine, known by {@code POD-UID/CONTAINER}.
 *
 * <p>The rule of this package: facts in, a request out. It knows no protocol and touches nothing.
 */
@NullMarked
package dev.berth.guest;

import org.jspecify.annotations.NullMarked;
