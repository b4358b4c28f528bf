# shellcheck shell=sh disable=SC2154 # sockets, nodes and their kin are the machine's
# Berth reads the machine as QEMU was told to make it, and as another reader of /sys reads it.

# Where CPUs are isolated, only one who asks may use all.
taskset -c "$(cat /sys/devices/system/cpu/online)" berth topology -o json >machine.json
check "berth topology prints a machine" 0 $?

check "every CPU is in the core, socket, node and cache that QEMU was told" \
  "$(told_cpus)" "$(cpus_of machine.json)"

check "lscpu finds the same" \
  "$(lscpu -p | awk -F , '!/^#/ { print $1, $2, $3, $4, $NF }' | by_lowest_cpu)" \
  "$(cpus_of machine.json)"

check "the L3 caches are as many as the dies" $((sockets * dies)) \
  "$(cpus_of machine.json | cut -d ' ' -f 5 | sort -u | wc -l)"

check "the nodes are numbered from 0" "$(seq -s , 0 $((nodes - 1)))" \
  "$(jq -r '.nodes | join(",")' machine.json)"

check "the distances are those that QEMU was told" "$(told_distances)" \
  "$(jq -c '.distances[]' machine.json)"

check "each node's memory is what the kernel counts" \
  "$(for node in $(seq 0 $((nodes - 1))); do
    awk '/MemTotal:/ { print $4 * 1024 }' "/sys/devices/system/node/node$node/meminfo"
  done)" \
  "$(jq -r '.memory[].bytes' machine.json)"

# The kernel keeps some of the memory to itself, most of it on the first node.
check "each node has most of the memory that QEMU was told" true \
  "$(jq "[.memory[].bytes | . > $memory * 1048576 * 3 / 4 and . <= $memory * 1048576] | all" machine.json)"

check "no CPU is offline" null "$(jq -c .offline machine.json)"
