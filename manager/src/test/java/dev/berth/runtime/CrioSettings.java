package dev.berth.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What a CRI-O is told: everything it has lies in one folder, pods need no network plugin, and it
 * works for somebody who may not raise a process' rank among those the kernel kills for memory.
 *
 * @param registry the port where its image is to be had
 * @param events whether it tells of containers by CRI
 */
record CrioSettings(Path folder, Path programs, int registry, boolean events) {
  /** Writes all files that it reads. */
  void write() throws IOException {
    Files.writeString(folder.resolve("config.toml"), settings());
    Files.writeString(folder.resolve("registries.conf"), registries());
    Files.writeString(
        folder.resolve("policy.json"), "{\"default\": [{\"type\": \"insecureAcceptAnything\"}]}");
    Files.setPosixFilePermissions(
        Files.writeString(folder.resolve("runc.sh"), runc()),
        PosixFilePermissions.fromString("rwx------"));
  }

  private String settings() {
    return """
    [crio]
    root = "%1$s/root"
    runroot = "%1$s/state"
    storage_driver = "vfs"
    log_dir = "%1$s/logs"
    version_file = "%1$s/version"
    clean_shutdown_file = "%1$s/clean"
    [crio.api]
    listen = "%1$s/cri.sock"
    [crio.runtime]
    decryption_keys_path = "%1$s/keys"
    irqbalance_config_file = "%1$s/irqbalance"
    irqbalance_config_restore_file = "disable"
    cgroup_manager = "cgroupfs"
    conmon_cgroup = "pod"
    cdi_spec_dirs = ["%1$s/cdi"]
    hooks_dir = ["%1$s/hooks"]
    container_exits_dir = "%1$s/exits"
    container_attach_socket_dir = "%1$s/attach"
    namespaces_dir = "%1$s/namespaces"
    pinns_path = "%2$s/pinns"
    enable_criu_support = false
    enable_pod_events = %4$s
    disable_hostport_mapping = true
    default_runtime = "runc"
    [crio.runtime.runtimes.runc]
    runtime_path = "%1$s/runc.sh"
    runtime_root = "%1$s/runc"
    monitor_cgroup = "pod"
    [crio.image]
    pause_image = "%3$s"
    pause_command = ""
    signature_policy = "%1$s/policy.json"
    signature_policy_dir = "%1$s/policies"
    [crio.network]
    network_dir = "%1$s/cni"
    plugin_dirs = ["%1$s/cni"]
    [crio.nri]
    enable_nri = true
    nri_listen = "%1$s/nri.sock"
    nri_plugin_dir = "%1$s/nri/plugins"
    nri_plugin_config_dir = "%1$s/nri/conf.d"
    """
        .formatted(folder, programs, RealRuntime.IMAGE, events);
  }

  private String registries() {
    return """
    [[registry]]
    prefix = "localhost"
    location = "127.0.0.1:%d"
    insecure = true
    """
        .formatted(registry);
  }

  /** Unlike containerd, CRI-O has no word for it, so the container's own file is mended. */
  private static String runc() {
    return """
    #!/bin/sh
    for word; do
      [ "$before" != --bundle ] || sed -i 's/"oomScoreAdj": -[0-9]*/"oomScoreAdj": 0/' "$word/config.json"
      before=$word
    done
    exec runc "$@"
    """;
  }
}
