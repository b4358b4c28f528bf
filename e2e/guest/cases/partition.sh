# shellcheck shell=sh disable=SC2154 # group is agent-lib's
# With the partition isolated, the kernel schedules exclusive CPUs apart.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

# configure isolated|member: the configuration, with this partition.
configure() {
  write_config <<END
topologyManagerPolicy: best-effort
cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
berth: {partition: $1}
END
}

configure isolated
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

configure member
kill_agent
berth agent --config /tmp/config.yaml --state "$state" --socket "$socket" --http off 2>/tmp/refused.log
check "other groups are not expected while containers run" 2 $?
check "and one line says so" 1 "$(grep -c 'berth.partition: expected isolated as long as' /tmp/refused.log)"

configure isolated
start_agent
last=$(jq -r .cpus /tmp/ps.json | sed "s/.*[-,]//")
sed -i "s/^reservedSystemCPUs: .*/reservedSystemCPUs: \"0-$((last - 2))\"/" /tmp/config.yaml
apart=$(of apart pid)
reload
look
check "one that finds no room goes on with the others" "$(of apart cpus)" "$(allowed cpus "$apart")"
check_none "and in no partition" "$(partitions "$apart" | grep isolated)"
check "as the same process" "$apart" "$(of apart pid)"
sed -i 's/^reservedSystemCPUs: .*/reservedSystemCPUs: "0-1"/' /tmp/config.yaml
reload
look
check_places "with CPUs of its own again"

together=$(spelt_out "$(of sharer cpus)" "$(of apart cpus)" | tr ' ' '\n' | sort -n | xargs)
remove apart
whole() { [ "$(spelt_out "$(allowed cpus "$(of sharer pid)")")" = "$together" ]; }
check_that "with the pod the partition goes, and its CPUs are shared again" wait_for 20 whole
clear_away
