# shellcheck shell=sh disable=SC2154 # group is agent-lib's
# With the partition isolated, the kernel schedules exclusive CPUs apart.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

write_config <<END
topologyManagerPolicy: best-effort
cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
berth: {partition: isolated}
END
start_agent
{ shared_pod sharer; pod apart 4 64Mi; } | apply
look
check_places partition
check_apart partition

# partitions PID: what its group and those above it are, the nearest first.
partitions() {
  folder=$(group_of "$1")
  while [ "$folder" != "$group" ]; do
    cat "$folder/cpuset.cpus.partition"
    folder=${folder%/*}
  done
}
check "the exclusive container's CPUs are an isolated partition" isolated \
  "$(partitions "$(of apart pid)" | grep -x isolated | sort -u)"
check_none "the shared container's are not" "$(partitions "$(of sharer pid)" | grep isolated)"

check "nobody else may use the CPUs of pods" "$(jq -r .reserved /tmp/ps.json)" "$(allowed cpus $$)"

places() {
  jq -c '{cpus, shared, pods: [.pods[] | {name, containers: [.containers[] | {cpus, mems, pid, state}]}]}' /tmp/ps.json
}
before=$(places)
kill_agent
start_agent
look
check "an agent that the kernel keeps from them finds everybody where they were" "$before" "$(places)"
check_places "after a restart"
check "the partition stays" isolated "$(partitions "$(of apart pid)" | head -n 1)"

together=$(spelt_out "$(of sharer cpus)" "$(of apart cpus)" | tr ' ' '\n' | sort -n | xargs)
remove apart
whole() { [ "$(spelt_out "$(allowed cpus "$(of sharer pid)")")" = "$together" ]; }
check_that "with the pod the partition goes, and its CPUs are shared again" wait_for 20 whole
clear_away
