# shellcheck shell=sh disable=SC2154 # the machine's shape
# KEP-2902's own recipe: the CPUs of one NUMA node and one more are split evenly over two nodes.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

node_cpus=$((sockets * dies * cores * threads / nodes))

# options OPTIONS: writes a configuration with these.
options() {
  write_config <<END
topologyManagerPolicy: best-effort
cpuManagerPolicyOptions: {$1}
END
}

# counts CPUS OPTIONS: has the agent go on with these options, and tells how many CPUs of a pod of
# that size each node has, the most first; the rest of the claims hold anyway.
counts() {
  options "$2"
  reload
  pod wide "$1" 64Mi | apply
  look
  check_places "options {$2}"
  check "options {$2}: all CPUs are there" "$1" "$(count_of "$(of wide cpus)")"
  shape=$(spread "$(of wide cpus)" | cut -d : -f 2 | sort -rn | xargs)
  halves=$(spelt_out "$(of wide cpus)" | tr ' ' '\n' | awk '{ print int($1 / 2) }' | uniq -u | wc -l)
  remove_all
}

options ''
start_agent
half=$(((node_cpus + 1) / 2))
counts $((node_cpus + 1)) 'distribute-cpus-across-numa: "true"'
check "distributed, the two nodes differ by the odd one" "$((node_cpus + 1 - half)) $half" "$shape"

# An odd number cannot be whole cores: one core more, and the nodes differ by a core.
counts $((node_cpus + 2)) 'distribute-cpus-across-numa: "true", full-pcpus-only: "true"'
check "with whole cores, the two nodes differ by one core" "$((node_cpus / 2 + 2)) $((node_cpus / 2))" \
  "$shape"
check "and no core is split" 0 "$halves"

counts $((node_cpus + 1)) ''
check "without the option, a whole node and one more" "$node_cpus 1" "$shape"
clear_away
