package dev.berth.runtime;

import java.nio.file.Path;

/**
 * What a kubelet is told: no API server, pods from files, everything it has in one folder, nobody
 * but this machine may ask it.
 *
 * @param folder where everything lies
 * @param group the group below which it makes its own
 * @param runtime the socket of its runtime
 * @param port where it tells whether it is well
 * @param readPort where it tells how its pods are
 * @param mainPort where it would serve whoever may do more
 */
record KubeletSettings(
    Path folder, String group, Path runtime, int port, int readPort, int mainPort) {
  /**
   * As a file.
   *
   * @param managers the settings of its resource managers, as lines of YAML
   */
  String text(String managers) {
    return """
    apiVersion: kubelet.config.k8s.io/v1beta1
    kind: KubeletConfiguration
    staticPodPath: %1$s/manifests
    podLogsDir: %1$s/logs
    volumePluginDir: %1$s/plugins
    containerRuntimeEndpoint: unix://%3$s
    cgroupRoot: %2$s
    cgroupDriver: cgroupfs
    failCgroupV1: false
    failSwapOn: false
    enforceNodeAllocatable: []
    makeIPTablesUtilChains: false
    registerNode: false
    address: 127.0.0.1
    port: %6$d
    readOnlyPort: %5$d
    healthzBindAddress: 127.0.0.1
    healthzPort: %4$d
    fileCheckFrequency: 1s
    authentication: {webhook: {enabled: false}}
    authorization: {mode: AlwaysAllow}
    evictionHard: {memory.available: 100Mi}
    """
            .formatted(folder, group, runtime, port, readPort, mainPort)
        + managers;
  }
}
