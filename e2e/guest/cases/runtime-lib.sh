# shellcheck shell=sh disable=SC2034,SC2154 # used by the cases; the machine's shape
# Words for cases in which containers are containerd's and pods a kubelet's, on a machine of four nodes.

programs=/berth/runtime
manifests=/etc/kubernetes/manifests
logs=/var/log/pods
kubelet=
containerd=

# All CPUs are one thread of QEMU: programs that look for work on each of 32 find little else.
export GOMAXPROCS=2 GOGC=400

# static_managers: what the kubelet or Berth is told of CPUs and nodes.
static_managers() {
  cat >/tmp/managers <<END
cpuManagerPolicy: static
cpuManagerReconcilePeriod: 2s
reservedSystemCPUs: "0-1"
topologyManagerPolicy: single-numa-node
END
}

# start_containerd: with NRI, which may take its time in here.
start_containerd() {
  cp $programs/lib/* /lib/x86_64-linux-gnu/
  printf '%s\n' '127.0.0.1 localhost' >/etc/hosts
  : >/etc/resolv.conf
  mkdir -p /etc/containerd /opt
  cat >/etc/containerd/config.toml <<END
version = 4
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "native"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "localhost/busybox:berth"
[plugins."io.containerd.cri.v1.runtime"]
  disable_apparmor = true
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
      SystemdCgroup = false
[plugins."io.containerd.nri.v1.nri"]
  disable = false
  plugin_registration_timeout = "30s"
  plugin_request_timeout = "30s"
END
  PATH=$PATH:$programs containerd >/tmp/containerd.log 2>&1 &
  containerd=$!
  wait_for 60 $programs/ctr version
  check_that "containerd takes the image" \
    $programs/ctr -n k8s.io images import --no-unpack $programs/image.tar
}

# start_kubelet: as one that has the managers of the file managers, if there is one.
start_kubelet() {
  mkdir -p $manifests /var/lib/kubelet
  {
    cat <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
staticPodPath: $manifests
podLogsDir: $logs
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
runtimeRequestTimeout: 2m
cgroupDriver: cgroupfs
failSwapOn: false
enforceNodeAllocatable: []
makeIPTablesUtilChains: false
registerNode: false
enableServer: false
readOnlyPort: 0
fileCheckFrequency: 2s
localStorageCapacityIsolation: false
evictionHard: {memory.available: 10Mi}
authentication: {webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
END
    [ ! -f /tmp/managers ] || cat /tmp/managers
  } >/var/lib/kubelet/config.yaml
  $programs/kubelet --config /var/lib/kubelet/config.yaml --hostname-override node \
    --housekeeping-interval 60s >/tmp/kubelet.log 2>&1 &
  kubelet=$!
}

stop_kubelet() {
  kill "$kubelet"
  wait "$kubelet" 2>/dev/null
}

# manifest POD CONTAINER:RESOURCES...: a pod whose containers tell where they may run, with their
# first instruction and whenever that changes.
manifest() {
  name=$1
  shift
  cat <<END
apiVersion: v1
kind: Pod
metadata: {name: $name, namespace: default}
spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 1
  containers:
END
  for container in "$@"; do
    cat <<END
  - name: ${container%%:*}
    image: localhost/busybox:berth
    imagePullPolicy: Never
    resources: {${container#*:}}
    command:
    - sh
    - -c
    - |
      while read -r key now; do case \$key in Cpus_allowed_list:) echo \$now; before=\$now ;; esac; done </proc/self/status
      while sleep 3; do
        while read -r key now; do
          case \$key in Cpus_allowed_list:) [ \$now = \$before ] || echo \$now; before=\$now ;; esac
        done </proc/self/status
      done
END
  done
}

# told POD CONTAINER: where a container may run, in the order in which it told.
told() {
  cut -d ' ' -f 4 $logs/default_"$1"-node_*/"$2"/*.log
}

has_told() {
  [ -n "$(told "$1" "$2")" ]
}

# come POD CONTAINER:RESOURCES...: has the kubelet run a pod.
come() {
  manifest "$@" >/tmp/manifest
  mv /tmp/manifest "$manifests/$1.yaml"
}

# await_start POD/CONTAINER...: waits until these have told where they may run.
await_start() {
  for place in "$@"; do
    wait_for 90 has_told "${place%/*}" "${place#*/}" && continue
    check "$place starts" started "$(tail -n 3 /tmp/kubelet.log)"
    tail -n 40 /tmp/kubelet.log
    give_up
  done
}

none_runs() {
  [ -z "$(find $group/kubepods -name cgroup.procs -exec cat {} + 2>/dev/null)" ]
}

owners="three/app pair/one pair/two whole/app"
sharers="free/app burst/app"

# all_come: pods of each class. Owners come one after the other, since the order counts.
all_come() {
  come free app:
  come burst 'app:requests: {cpu: 500m, memory: 16Mi}'
  come three 'app:limits: {cpu: "3", memory: 16Mi}'
  await_start three/app
  come pair 'one:limits: {cpu: "2", memory: 16Mi}' 'two:limits: {cpu: "4", memory: 16Mi}'
  await_start pair/one pair/two
  come whole 'app:limits: {cpu: "8", memory: 16Mi}'
  # shellcheck disable=SC2086 # words
  await_start whole/app $sharers
}

# place POD/CONTAINER: where a container is now.
place() {
  told "${1%/*}" "${1#*/}" | tail -n 1
}

# check_answer WHO: claims that all containers are where a kubelet 1.36.3 has them. Its answer was
# recorded in such a guest, and the case kubelet asks one again.
check_answer() {
  while read -r name cpus; do
    is_there() { [ "$(place "$name")" = "$cpus" ]; }
    wait_for 30 is_there
    check "$1 has $name where the kubelet has it" "$cpus" "$(place "$name")"
  done <<END
three/app 2-4
pair/one 6-7
pair/two 8-11
whole/app 16-23
free/app 0-1,5,12-15,24-31
burst/app 0-1,5,12-15,24-31
END
}

# check_owners: claims that owners have never been anywhere else, and are on one node each.
check_owners() {
  for owner in $owners; do
    check "$owner is where it began, from its first instruction" "$(place "$owner")" \
      "$(told "${owner%/*}" "${owner#*/}")"
    check "$owner is on one node" 1 "$(nodes_of "$(place "$owner")" | tr ',' '\n' | wc -l)"
  done
}
