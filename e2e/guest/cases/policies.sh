# shellcheck shell=sh
# The same four pods under each topology policy, one after the other without a restart. A node has
# eight CPUs, the first one two less: wide fits on no single node; third finds enough CPUs, but no
# node that has all of them.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

# policy_config POLICY
policy_config() {
  write_config <<END
topologyManagerPolicy: $1
memoryManagerPolicy: Static
reservedMemory: [{numaNode: 0, limits: {memory: 100Mi}}]
END
}

# under POLICY: has the agent go on with that policy, applies the pods, and looks.
under() {
  policy_config "$1"
  reload
  { pod wide 10 600Mi; pod first 6 64Mi; pod second 6 64Mi; pod third 6 64Mi; } | apply
  look
  check "$1: it is in force" "$1" "$(jq -r .topologyPolicy /tmp/ps.json)"
  check_places "$1"
  check_apart "$1"
}

# check_one_node POLICY POD: claims that CPUs, memory and the pages in use are on one node.
check_one_node() {
  node=$(nodes_of "$(of "$2" cpus)")
  check "$1: $2 has 6 CPUs" 6 "$(count_of "$(of "$2" cpus)")"
  check "$1: the CPUs of $2 are on one node" 1 "$(spread "$(of "$2" cpus)" | wc -l)"
  check "$1: so is the memory that $2 may use" "$node" "$(of "$2" mems)"
  check_that "$1: $2 has touched its memory" wait_for 20 touched "$2"
  check "$1: and there it lies" "$node" "$(memory_nodes "$2")"
}

touched() {
  [ -n "$(memory_nodes "$1")" ]
}

check_two_nodes() {
  check "$1: $2 is on as few nodes as hold it" 2 "$(spread "$(of "$2" cpus)" | wc -l)"
}

check_granted() {
  check "$1: $2 runs" Running "$(phase_of "$2")"
}

check_refused() {
  check "$1: $2 is refused, and stays visible" Failed "$(phase_of "$2")"
}

policy_config none
start_agent

under none
for name in wide first second third; do
  check_granted none "$name"
done
remove_all

under best-effort
for name in wide first second third; do
  check_granted best-effort "$name"
done
check_two_nodes best-effort wide
check_one_node best-effort first
check_one_node best-effort second
check "best-effort: third has all of its CPUs, from several nodes" 6 \
  "$(count_of "$(of third cpus)")"
remove_all

under restricted
check_granted restricted wide
check_two_nodes restricted wide
check_one_node restricted first
check_one_node restricted second
check_refused restricted third
remove_all

under single-numa-node
check_refused single-numa-node wide
for name in first second third; do
  check_one_node single-numa-node "$name"
done
clear_away
