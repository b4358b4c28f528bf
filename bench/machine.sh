# shellcheck shell=bash
# What bench/run and bench/latency tell of the machine they measure on. Sourced by both.

# described ROOT DATE: when, of what and where this was measured, as a list. Needs JAVA_HOME.
described() {
  local model
  model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  printf -- '- %s, %s\n' "$2" "$(commit "$1")"
  printf -- '- %s CPUs (%s), %s MiB of memory, Linux %s, cgroup %s%s\n' "$(nproc)" "${model:-unknown}" \
    "$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)" "$(uname -r)" "$(cgroup_version)" \
    "$(grep -q '^flags.* hypervisor' /proc/cpuinfo && echo ', a virtual machine')"
  printf -- '- %s\n' "$("$JAVA_HOME/bin/java" --version | sed -n 2p)"
}

# commit ROOT: that of the code, which documents are no part of.
commit() {
  local name
  name=$(git -C "$1" rev-parse --short HEAD 2>/dev/null) || { echo 'no commit'; return; }
  # Files that no commit has yet are built too.
  [ -z "$(git -C "$1" status --porcelain -- . ':!docs' ':!*.md')" ] || name=$name-dirty
  echo "$name"
}

cgroup_version() {
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo v2; else echo v1; fi
}

# quiet [WHAT]: waits up to a minute until the machine does little else, and says what it was like then, before
# WHAT; a build before it counts until it is forgotten. Later the load is mostly our own.
quiet() {
  local waited=0 load
  load=$(cut -d ' ' -f 1 /proc/loadavg)
  while [ "${load%%.*}" -ge 1 ] && [ $waited -lt 60 ]; do
    sleep 5
    waited=$((waited + 5))
    load=$(cut -d ' ' -f 1 /proc/loadavg)
  done
  echo "load $load before ${1:-the first}, after $waited s of waiting until it is below 1"
}

# spent: ticks since the start of all CPUs, of those idle, of those that the host did not give us, and of
# this script with whatever of its children has ended.
spent() {
  local own
  own=$(sed 's/^.*) //' /proc/$$/stat | awk '{ print $12 + $13 + $14 + $15 }')
  awk -v own="$own" '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6, $9, own }' /proc/stat
}

# shares BEFORE AFTER: of two answers of spent, the shares of all CPU time that others used and that was
# stolen, in percent.
shares() {
  echo "$1 $2" | awk '{
    all = $5 - $1; idle = $6 - $2; stolen = $7 - $3; own = $8 - $4
    others = all - idle - stolen - own
    printf "%.1f %.1f\n", 100 * (others > 0 ? others : 0) / all, 100 * stolen / all
  }'
}

# told BEFORE AFTER [stolen]: the same in words; with stolen, that alone, for what is measured may be no child
# of this script, and would count as others.
told() {
  local others stolen
  read -r others stolen < <(shares "$1" "$2")
  [ "${3:-}" = stolen ] || printf 'used by others %s %%, ' "$others"
  printf 'stolen by the host %s %%\n' "$stolen"
}
