# shellcheck shell=sh disable=SC2154 # sockets, nodes and their kin are the machine's
# CPUs that go offline are seen to go, and to come back. The last node loses all of its own.

last=$((nodes - 1))
of_last_node=$(cat "/sys/devices/system/node/node$last/cpulist")
set_online 0 5 "$(spelt_out "$of_last_node")"
berth topology -o json >fewer.json

check "what is offline is named" "5,$of_last_node" "$(jq -r .offline fewer.json)"
check "it is no CPU of the machine any more; the others stay where they were" \
  "$(told_cpus | awk -v last="$last" '$1 != 5 && $4 != last')" "$(cpus_of fewer.json)"
check "a node without CPUs keeps its memory" "$nodes" "$(jq '.memory | length' fewer.json)"

set_online 1 5 "$(spelt_out "$of_last_node")"
berth topology -o json >again.json
check "back online, the machine is as it was" "$(told_cpus)" "$(cpus_of again.json)"
check "nothing is offline then" null "$(jq -c .offline again.json)"
