# shellcheck shell=sh
# The agent is killed and started again: every pod runs on, where it was.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

write_config <<END
topologyManagerPolicy: best-effort
memoryManagerPolicy: Static
reservedMemory: [{numaNode: 0, limits: {memory: 100Mi}}]
END
start_agent
{ shared_pod sharer; pod first 6 64Mi; pod second 6 64Mi; } | apply
look
check_places "before the crash"
places() {
  jq -c '{shared, pods: ([.pods[] | {name, phase, containers: [.containers[] | {cpus, mems, pid, state}]}] | sort_by(.name))}' /tmp/ps.json
}
before=$(places)

kill_agent
check_places "while no agent runs"
start_agent
look
check "after the start it tells the same" "$before" "$(places)"
check_places "after the start"

first=$(of first cpus)
remove first
pod third 6 64Mi | apply
look
check "what is freed then is given again" "$first" "$(of third cpus)"
check_places "with another pod"
check_apart "with another pod"
clear_away
