# shellcheck shell=sh disable=SC2034,SC2154 # used by the cases; the machine's shape
# Words for cases in which containers are containerd's, on a machine of four nodes. They leave
# everything running, so such a case is the last of its boot.

programs=/berth/runtime
manifests=/etc/kubernetes/manifests
logs=/var/log/pods

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

# start_containerd: with NRI, which may take its time in here. Nobody asks for statistics; to
# collect them took it and its shims half of the emulated CPUs.
start_containerd() {
  cp $programs/lib/* /lib/x86_64-linux-gnu/
  printf '%s\n' '127.0.0.1 localhost' >/etc/hosts
  : >/etc/resolv.conf
  mkdir -p /etc/containerd /opt
  cat >/etc/containerd/config.toml <<END
version = 4
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "native"
  stats_collect_period = 3600
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "localhost/busybox:berth"
[plugins."io.containerd.cri.v1.runtime"]
  disable_apparmor = true
  stats_collect_period = "1h"
  stats_retention_period = "2h"
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
  wait_for 60 $programs/ctr version
  check_that "containerd takes the image" \
    $programs/ctr -n k8s.io images import --no-unpack $programs/image.tar
}

# start_kubelet: one with the managers of the file managers.
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
    cat /tmp/managers
  } >/var/lib/kubelet/config.yaml
  $programs/kubelet --config /var/lib/kubelet/config.yaml --hostname-override node \
    --housekeeping-interval 60s >/tmp/kubelet.log 2>&1 &
}

# tell: what containers do: say where they may run, with their first instruction and whenever that
# changes.
tell='before=; while :; do while read -r key now; do [ "$key" != Cpus_allowed_list: ] || [ "$now" = "$before" ] || { echo "$now"; before=$now; }; done </proc/self/status; sleep 5; done'

# manifest POD CLASS CONTAINER=MILLICPUS...: for the kubelet.
manifest() {
  cat <<END
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: default}
spec:
  hostNetwork: true
  terminationGracePeriodSeconds: 1
  containers:
END
  case $2 in
    guaranteed) which=limits ;;
    burstable) which=requests ;;
    besteffort) which= ;;
  esac
  shift 2
  for container in "$@"; do
    cat <<END
  - name: ${container%=*}
    image: localhost/busybox:berth
    imagePullPolicy: Never
    resources: {${which:+$which: {cpu: ${container#*=}m, memory: 16Mi\}}}
    command: [sh, -c, '$tell']
END
  done
}

# come POD CLASS CONTAINER=MILLICPUS...: has a pod run, by the kubelet where there is one.
come() {
  if [ -d $manifests ]; then
    manifest "$@" >/tmp/manifest
    mv /tmp/manifest "$manifests/$1.yaml"
  else
    name=$1
    class=$2
    shift 2
    $programs/pods /run/containerd/containerd.sock run "$name" "$class" "$tell" "$@" ||
      check "$name starts" started refused
  fi
}

# go POD: ends a pod that no kubelet brought.
go() {
  $programs/pods /run/containerd/containerd.sock stop "$1"
}

# told POD CONTAINER: where a container may run, in the order in which it told.
told() {
  cut -d ' ' -f 4 $logs/default_"$1"-node_*/"$2"/*.log
}

has_told() {
  [ -n "$(told "$1" "$2")" ]
}

# await_start POD/CONTAINER...: waits until these have told where they may run.
await_start() {
  for place in "$@"; do
    wait_for 150 has_told "${place%/*}" "${place#*/}" && continue
    check "$place starts" started nothing
    tail -n 40 /tmp/containerd.log /tmp/kubelet.log
    give_up
  done
}

owners="three/app pair/one pair/two whole/app"
sharers="free/app burst/app"

# all_come: pods of each class. Owners come one after the other, since the order counts.
all_come() {
  come free besteffort app=0
  come burst burstable app=500
  come three guaranteed app=3000
  await_start three/app
  come pair guaranteed one=2000 two=4000
  await_start pair/one pair/two
  come whole guaranteed app=8000
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
    check "$1 has $name where it was recorded" "$cpus" "$(place "$name")"
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
