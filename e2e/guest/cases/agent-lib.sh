# shellcheck shell=sh disable=SC2034,SC2154 # used by the cases; the machine's shape
# Words for cases about the agent. The JVM starts slowly in here, so most questions go to the
# agent's socket by themselves; the commands have a case of their own.

state=/var/lib/berth
socket=/run/berth/berth.sock
group=/sys/fs/cgroup
agent=

# write_config: standard input becomes the agent's configuration; what all cases share comes first.
write_config() {
  {
    echo 'reservedSystemCPUs: "0-1"'
    cat
  } >/tmp/config.yaml
}

# start_agent [WORD...]: starts the agent, behind words such as setpriv, and waits until it is ready.
start_agent() {
  : >/tmp/agent.log
  "$@" berth agent --config /tmp/config.yaml --state "$state" --socket "$socket" --http off \
    >>/tmp/agent.log 2>&1 &
  agent=$!
  await_agent
}

# start_agent_with FLAG...: the same with flags. With a runtime, it is up before it is ready.
start_agent_with() {
  : >/tmp/agent.log
  berth agent --config /tmp/config.yaml --state "$state" --socket "$socket" --http off "$@" \
    >>/tmp/agent.log 2>&1 &
  agent=$!
  wait_for 90 met_runtime
  await_agent
}

await_agent() {
  wait_for 90 ready_or_gone
  check "the agent gets ready" ready "$(ask /readyz >/dev/null && echo ready || tail -n 1 /tmp/agent.log)"
  kill -0 "$agent" || give_up
}

ready_or_gone() {
  said ' agent: ready' || ! kill -0 "$agent"
}

met_runtime() {
  ! kill -0 "$agent" || { said ' NRI: registered' && ask /readyz; }
}

# said WORDS: whether the agent has; read without a process, which would keep the agent from saying it.
said() {
  while read -r line; do
    case $line in *"$1"*) return ;; esac
  done </tmp/agent.log
  return 1
}

# ask PATH [OPTION...]: what the agent answers on its socket; fails where it refuses.
ask() {
  path=$1
  shift
  curl -sS --fail-with-body --max-time 60 --unix-socket "$socket" "$@" "http://agent$path"
}

# reload: has the agent go on with the configuration as it is now.
reload() {
  check "the agent goes on with other settings" reloaded "$(ask /reload -X POST)"
}

kill_agent() {
  kill -KILL "$agent"
  wait "$agent" 2>/dev/null
}

# tell_failures: what the agent said, where a claim has failed since.
told_failures=0
tell_failures() {
  [ "$failures" -gt "$told_failures" ] || return 0
  told_failures=$failures
  sed 's/^/agent: /' /tmp/agent.log
}

give_up() {
  tell_failures
  exit 1
}

# clear_away: ends the agent and all that it started, and forgets its state, for the next case.
clear_away() {
  tell_failures
  kill_agent
  find $group -mindepth 2 -name cgroup.kill | while read -r all; do
    echo 1 >"$all"
  done
  wait_for 20 none_left
  find $group -mindepth 1 -depth -type d -exec rmdir {} +
  rm -rf "$state" "$socket" /run/berth /tmp/agent.log
}

none_left() {
  [ -z "$(find $group -mindepth 2 -name cgroup.procs -exec cat {} +)" ]
}

# busy: what containers do: touch 32 MiB, keep them, and wait.
busy="dd if=/dev/zero bs=32M count=1 2>/dev/null | sleep 3600"

# pod NAME CPUS MEMORY [MORE-LIMITS]: a guaranteed pod, for berth apply.
pod() {
  pod_with "$1" "limits: {cpu: \"$2\", memory: $3${4:+, $4}}"
}

# shared_pod NAME: a pod without CPUs of its own.
shared_pod() {
  pod_with "$1" 'requests: {cpu: 100m, memory: 64Mi}'
}

# pod_with NAME RESOURCES: a pod of one container.
pod_with() {
  cat <<END
---
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  containers:
  - name: main
    command: [sh, -c, "$busy"]
    resources:
      $2
END
}

# apply: hands the pods on standard input to the agent; what it says of them is in apply.json.
apply() {
  ask /pods --data-binary @- >/tmp/apply.json ||
    check "the agent takes the pods" pods "$(head -c 300 /tmp/apply.json)"
}

# remove POD: returns once the pod is gone.
remove() {
  ask "/pods/$1" -X DELETE >/tmp/remove.txt ||
    check "the agent removes $1" removed "$(head -c 300 /tmp/remove.txt)"
}

# remove_all: removes every pod of the last look.
remove_all() {
  tell_failures
  for name in $(jq -r '.pods[].name' /tmp/ps.json); do
    remove "$name"
  done
}

# look: what the agent says now, into ps.json. Containers that have just started are given time.
# Without an answer the case is over.
look() {
  wait_for 30 settled && return
  check "the agent tells of pods that have started or failed" pods "$(head -c 600 /tmp/ps.json)"
  give_up
}

settled() {
  ask /pods >/tmp/ps.json && jq -e '(.pods | length > 0) and ([.pods[]
    | select(.phase == "Pending" or (.phase == "Running"
      and ([.containers[] | select(.state == "running" and .pid)] == [])))] == [])' /tmp/ps.json
}

# of POD FIELD: a field of the pod's container, from the last look.
of() {
  jq -r --arg pod "$1" --arg field "$2" \
    '.pods[] | select(.name == $pod) | .containers[0][$field]' /tmp/ps.json
}

phase_of() {
  jq -r --arg pod "$1" '.pods[] | select(.name == $pod).phase' /tmp/ps.json
}

# allowed cpus|mems PID: what the kernel says.
allowed() {
  case $1 in
    cpus) sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$2/status" ;;
    mems) sed -n 's/^Mems_allowed_list:\t//p' "/proc/$2/status" ;;
  esac
}

# group_of PID: the folder of its cgroup.
group_of() {
  echo "$group$(sed -n 's/^0:://p' "/proc/$1/cgroup")"
}

# processes_in FOLDER FILE: that file in /proc of every process of a group.
processes_in() {
  sed "s|.*|/proc/&/$2|" "$1/cgroup.procs"
}

# check_places: claims for every process of every running container that the kernel holds it to the
# CPUs and nodes of memory that the agent told.
check_places() {
  places=$(jq -r '.pods[] | .name as $name | .containers[] | select(.state == "running")
    | [$name, .pid, .cpus, .mems] | map(tostring) | join(" ")' /tmp/ps.json)
  check "$1: there are pods that run" true "$([ -n "$places" ] && echo true)"
  [ -n "$places" ] || return
  while read -r name pid cpus mems; do
    folder=$(group_of "$pid")
    if [ "$folder" = "$group/" ]; then
      check "$1: $name is in a group" group none
      continue
    fi
    # shellcheck disable=SC2046 # paths without spaces
    check "$1: every process of $name is on its CPUs and nodes" "CPUs $cpus, memory $mems" \
      "$(awk '/^Cpus_allowed_list:/ { cpus = $2 }
        /^Mems_allowed_list:/ { print "CPUs " cpus ", memory " $2 }' \
        $(processes_in "$folder" status) </dev/null | sort -u)"
  done <<END
$places
END
}

# check_apart: claims that no CPU of an exclusive container is another's, or shared.
check_apart() {
  taken=$(for list in $(jq -r '.shared, (.pods[].containers[]
    | select(.exclusive and .state == "running").cpus)' /tmp/ps.json); do
    spelt_out "$list"
  done | tr ' ' '\n')
  check_that "$1: CPUs are shared or given" test -n "$taken"
  check_none "$1: no CPU is given twice" "$(echo "$taken" | sort -n | uniq -d | xargs)"
}

# nodes_of CPUS: the NUMA nodes of a list of CPUs, as a list.
nodes_of() {
  spread "$1" | cut -d : -f 1 | xargs | tr ' ' ','
}

# spread CPUS: how many of the CPUs each node has, a line each: node:count.
spread() {
  told_cpus | awk -v list="$(spelt_out "$1")" '
    BEGIN { count = split(list, cpu, " "); for (i = 1; i <= count; i++) wanted[cpu[i]] = 1 }
    $1 in wanted { number[$4]++ }
    END { for (node in number) print node ":" number[node] }' | sort -n
}

count_of() {
  spelt_out "$1" | wc -w
}

# memory_nodes POD: the nodes on which the pod's 32 MiB lie, as a list.
memory_nodes() {
  # shellcheck disable=SC2046 # paths without spaces
  awk '/anon=8192 / { for (i = 1; i <= NF; i++) if ($i ~ /^N[0-9]+=/) print substr($i, 2) + 0 }' \
    $(processes_in "$(group_of "$(of "$1" pid)")" numa_maps) </dev/null | sort -nu | xargs | tr ' ' ','
}
