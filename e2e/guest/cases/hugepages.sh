# shellcheck shell=sh disable=SC2034,SC2154 # nodes is the machine's, busy is agent-lib's
# Hugepages come from the node that the pod was given, and no more of them than it was given.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

pages() {
  cat "/sys/devices/system/node/node$1/hugepages/hugepages-2048kB/$2_hugepages"
}

for node in $(seq 0 $((nodes - 1))); do
  echo 8 >"/sys/devices/system/node/node$node/hugepages/hugepages-2048kB/nr_hugepages"
done
mkdir -p /hugepages
mount -t hugetlbfs hugetlbfs /hugepages
write_config <<END
topologyManagerPolicy: single-numa-node
memoryManagerPolicy: Static
reservedMemory: [{numaNode: 0, limits: {memory: 100Mi}}]
END
start_agent
{
  pod other 7 64Mi
  busy="fallocate -l 8388608 /hugepages/large; fallocate -l 33554432 /hugepages/larger; sleep 3600"
  pod large 7 64Mi "hugepages-2Mi: 8Mi"
} >pods
apply <pods
look
check_places hugepages

node=$(nodes_of "$(of large cpus)")
check "its memory is where its CPUs are" "$node" "$(of large mems)"
limits=$(cat "$(group_of "$(of large pid)")/hugetlb.2MB.max")
check "its limit is what it asked for" 8388608 "$limits"
four_used() { [ "$(pages "$node" free)" -eq 4 ]; }
check_that "four pages of that node are used, and not one above the limit" wait_for 20 four_used
check "no page of another node is used" $((8 * (nodes - 1))) "$(
  for other in $(seq 0 $((nodes - 1))); do
    [ "$other" = "$node" ] || pages "$other" free
  done | awk '{ sum += $1 } END { print sum }')"
clear_away
rm -f /hugepages/*
umount /hugepages
for node in $(seq 0 $((nodes - 1))); do
  echo 0 >"/sys/devices/system/node/node$node/hugepages/hugepages-2048kB/nr_hugepages"
done
