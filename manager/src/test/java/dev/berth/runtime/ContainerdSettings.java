package dev.berth.runtime;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a containerd is told: everything it has lies in one folder, pods need no network plugin, and
 * it works for somebody who may not raise a process' rank among those the kernel kills for memory.
 * Nobody asks for statistics, which it would collect all the time.
 */
record ContainerdSettings(Path folder, Duration registration, Duration request) {
  /** For containerd 2. */
  String current() {
    return """
    version = 4
    root = "%1$s/root"
    state = "%1$s/state"
    [plugins."io.containerd.server.v1.grpc"]
      address = "%1$s/cri.sock"
    [plugins."io.containerd.server.v1.ttrpc"]
      address = "%1$s/cri.sock.ttrpc"
    [plugins."io.containerd.internal.v1.opt"]
      path = "%1$s/opt"
    [plugins."io.containerd.cri.v1.images"]
      snapshotter = "native"
      stats_collect_period = 3600
      [plugins."io.containerd.cri.v1.images".pinned_images]
        sandbox = "%2$s"
    [plugins."io.containerd.cri.v1.runtime"]
      restrict_oom_score_adj = true
      disable_apparmor = true
      stats_collect_period = "1h"
      stats_retention_period = "2h"
      cdi_spec_dirs = ["%1$s/cdi"]
      [plugins."io.containerd.cri.v1.runtime".cni]
        bin_dirs = ["%1$s/cni"]
        conf_dir = "%1$s/cni"
      [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
        runtime_type = "io.containerd.runc.v2"
        [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
          Root = "%1$s/runc"
          SystemdCgroup = false
    [plugins."io.containerd.nri.v1.nri"]
      disable = false
      socket_path = "%1$s/nri.sock"
      plugin_path = "%1$s/nri/plugins"
      plugin_config_path = "%1$s/nri/conf.d"
      plugin_registration_timeout = "%3$dms"
      plugin_request_timeout = "%4$dms"
    """
        .formatted(folder, RealRuntime.IMAGE, registration.toMillis(), request.toMillis());
  }

  /** For containerd 1.6, which knows nothing of NRI. */
  String old() {
    return """
    version = 2
    root = "%1$s/root"
    state = "%1$s/state"
    [grpc]
      address = "%1$s/cri.sock"
    [ttrpc]
      address = "%1$s/cri.sock.ttrpc"
    [plugins."io.containerd.internal.v1.opt"]
      path = "%1$s/opt"
    [plugins."io.containerd.grpc.v1.cri"]
      sandbox_image = "%2$s"
      restrict_oom_score_adj = true
      disable_apparmor = true
      [plugins."io.containerd.grpc.v1.cri".cni]
        bin_dir = "%1$s/cni"
        conf_dir = "%1$s/cni"
      [plugins."io.containerd.grpc.v1.cri".containerd]
        snapshotter = "native"
        [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
          runtime_type = "io.containerd.runc.v2"
          [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
            Root = "%1$s/runc"
            SystemdCgroup = false
    """
        .formatted(folder, RealRuntime.IMAGE);
  }
}
