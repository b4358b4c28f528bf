# shellcheck shell=sh disable=SC2034,SC2154 # used by the cases; the caller's words
# Words for a churn of pods under an agent that is killed and whose state is lost. They run in the guest and on the host.
# Nothing here asks the agent who owns a CPU: that is read from /proc and the cgroup files.
#
# Before they are used: ask (as in agent-lib), $state, $pods (the folder of the pods' cgroups that decides on CPUs).

# A pod says in its name what it requests: ex-CPUS-NUMBER has so many exclusive CPUs, sh-NUMBER shares. Its first
# process has the name below, so that it is found wherever it is.
process_name=berth-owner
serial=0
looks=0

# random LIMIT: sets chance to a number from 0 to LIMIT - 1.
random() {
  chance=$(od -An -N2 -tu2 /dev/urandom)
  chance=$((chance % $1))
}

# owner_pod NAME RESOURCES: one pod for the agent.
owner_pod() {
  cat <<END
---
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  terminationGracePeriodSeconds: 5
  containers:
  - name: app
    command: [sh, -c, "echo $process_name >/proc/self/comm; while :; do sleep 100000; done"]
    resources: {$2}
END
}

# add_owners COUNT CPUS: applies exclusive pods of so many CPUs; the agent may refuse them.
add_owners() {
  added=0
  while [ $added -lt "$1" ]; do
    serial=$((serial + 1))
    added=$((added + 1))
    owner_pod "ex-$2-$serial" "limits: {cpu: \"$2\", memory: 16Mi}"
  done | ask /pods --data-binary @- >${scratch:-/tmp}/owners.answer
  serial=$((serial + $1))
}

# add_sharers COUNT: applies pods that share.
add_sharers() {
  added=0
  while [ $added -lt "$1" ]; do
    serial=$((serial + 1))
    added=$((added + 1))
    owner_pod "sh-$serial" "requests: {cpu: 10m, memory: 16Mi}"
  done | ask /pods --data-binary @- >${scratch:-/tmp}/owners.answer
  serial=$((serial + $1))
}

# running_owners: the pods of the exclusive containers that run, by their cgroups.
running_owners() {
  for group in "$pods"/*_ex-*/app; do
    read -r pid 2>/dev/null <"$group/cgroup.procs" && echo "${group%/app}"
  done | sed 's/.*_//'
}

# remove_one: ends one exclusive pod, known to the agent or not.
remove_one() {
  # shellcheck disable=SC2046 # names
  set -- $(running_owners)
  [ $# -gt 0 ] || return 0
  random $#
  shift "$chance"
  ask "/pods/default_$1" -X DELETE >${scratch:-/tmp}/owners.answer
}

# violations: a line for each rule that the kernel's files break now, and the line "looked" at the end.
violations() {
  # A group may vanish while it is read: what it had is looked for among all processes of the machine then.
  for group in "$pods"/*/app; do
    pod=${group%/app}
    while read -r pid; do echo "${pod##*_} $pid"; done 2>/dev/null <"$group/cgroup.procs"
  done | awk -v name="$process_name" -v reserved="$reserved" '
    function spell(list, cpus, parts, ends, i, at, count) {
      delete cpus
      count = split(list, parts, ",")
      for (i = 1; i <= count; i++) {
        split(parts[i], ends, "-")
        if (ends[2] == "") ends[2] = ends[1]
        for (at = ends[1] + 0; at <= ends[2] + 0; at++) cpus[at] = 1
      }
    }
    function allowed(pid, line, list) {
      list = ""
      while ((getline line <("/proc/" pid "/status")) > 0)
        if (line ~ /^Cpus_allowed_list:/) { list = line; sub(/^[^0-9]*/, "", list) }
      close("/proc/" pid "/status")
      return list
    }
    function called(pid, line) {
      line = ""
      getline line <("/proc/" pid "/comm")
      close("/proc/" pid "/comm")
      return line
    }
    {
      pod = $1
      list = allowed($2)
      if (list == "") next
      members[$2] = pod
      if (called($2) == name) first[pod]++
      seen[pod] = 1
      spell(list, cpus)
      # A pod that found no room after a start goes on beside the others, on the pool with what is reserved.
      owner = pod ~ /^ex-/
      for (cpu in cpus) if (cpu in kept) owner = 0
      number = 0
      for (cpu in cpus) {
        number++
        if (owner) {
          if (!((pod, cpu) in has)) { has[pod, cpu] = 1; owners[cpu] = owners[cpu] " " pod; count[cpu]++ }
        } else sharer[cpu] = pod
      }
      if (owner) {
        split(pod, parts, "-")
        if (number != parts[2] + 0) print "process " $2 " of " pod " may run on " list
      }
      processes++
    }
    BEGIN { spell(reserved, kept) }
    END {
      for (cpu in count) {
        if (count[cpu] > 1) print "CPU " cpu " has the owners" owners[cpu]
        if (cpu in sharer) print "CPU " cpu " is exclusive to" owners[cpu] " and shared by " sharer[cpu]
      }
      for (pod in seen) if (first[pod] > 1) print pod " runs " first[pod] " times"
      while (("ls /proc" | getline pid) > 0)
        if (pid ~ /^[0-9]+$/ && !(pid in members) && called(pid) == name && allowed(pid) != "")
          print "process " pid " is in no group of a container"
      if (!processes) print "no process was looked at"
      print "looked"
    }'
}

# look_at_owners WHEN: claims that no CPU has two owners. What differs is looked at twice, because a look takes time.
look_at_owners() {
  looks=$((looks + 1))
  found=$(violations)
  [ "$found" = looked ] || { sleep 0.5; found=$(violations); }
  [ "$found" = looked ] || { broken=$((broken + 1)); echo "$1: $found" | head -n 5; }
}

# flip FILE: changes one bit of a file at random.
flip() {
  size=$(wc -c <"$1")
  [ "$size" -gt 0 ] || return 0
  random "$size"
  byte=$(dd if="$1" bs=1 skip="$chance" count=1 2>/dev/null | od -An -tu1)
  # shellcheck disable=SC2059 # a byte
  printf "\\$(printf %o $((byte ^ 4)))" | dd of="$1" bs=1 seek="$chance" conv=notrunc 2>/dev/null
}

# lose_state: what becomes of the state while no agent runs: it is absent, older or damaged in both files.
lose_state() {
  random 4
  case $chance in
    0) loss="deleted" && rm -rf "$state" ;;
    1)
      loss="an older copy"
      [ ! -d ${scratch:-/tmp}/owners.copy ] || { rm -rf "$state" && cp -a ${scratch:-/tmp}/owners.copy "$state"; }
      ;;
    2) loss="truncated" && : >"$state/berth_state" && : >"$state/cpu_manager_state" ;;
    3) loss="one bit in each" && flip "$state/berth_state" && flip "$state/cpu_manager_state" ;;
  esac
}

# keep_copy: what an operator has of the state, now and then.
keep_copy() {
  random 5
  [ "$chance" -gt 0 ] || { rm -rf ${scratch:-/tmp}/owners.copy && cp -a "$state" ${scratch:-/tmp}/owners.copy; }
}

# stir: pods come and go, and the agent is killed at some moment of it.
stir() {
  random 4
  size=1
  [ "$chance" -gt 0 ] || size=2
  remove_one
  add_owners 1 $size 2>/dev/null &
  stirring=$!
  random 10
  sleep 0.$chance
  kill_agent
  wait $stirring 2>/dev/null
}

# refill LEAST: applies exclusive pods until so many run.
refill() {
  have=$(running_owners | wc -l)
  [ "$have" -ge "$1" ] || add_owners $(($1 - have)) 1
  wait_for 20 enough "$1"
}

enough() {
  have=$(running_owners | wc -l)
  [ "$have" -ge "$1" ]
}

# churn ROUNDS LEAST lost|kept: kills the agent so many times with at least so many exclusive containers, and looks at
# the kernel while no agent runs and once the next is ready.
churn() {
  broken=0
  round=0
  fewest=1000
  while [ $round -lt "$1" ]; do
    round=$((round + 1))
    refill "$2"
    [ "$have" -ge "$fewest" ] || fewest=$have
    keep_copy
    stir
    look_at_owners "round $round, no agent"
    loss=kept
    [ "$3" = kept ] || lose_state
    again
    look_at_owners "round $round, state $loss"
  done
}
