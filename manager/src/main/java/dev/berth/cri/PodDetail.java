package dev.berth.cri;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * All that a runtime tells of one pod's sandbox.
 *
 * @param cgroupParent the group that holds the groups of all its containers: a path, or for systemd
 *     the name of a slice. From it the pod's QoS class can be told, which CRI does not say
 * @param pid the process that holds the sandbox open
 */
public record PodDetail(CriPod pod, Optional<String> cgroupParent, OptionalLong pid) {}
