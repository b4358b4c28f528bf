# shellcheck shell=sh
# CPUs go and come back, while the agent runs and while it does not. Nobody is ended for it.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

write_config <<END
cpuManagerReconcilePeriod: 2s
topologyManagerPolicy: best-effort
END
start_agent
{ shared_pod sharer; pod stays 4 64Mi; pod hit 4 64Mi; } | apply
look
check_places "before"
sharer=$(of sharer pid)
all=$(allowed cpus "$sharer")
stays=$(of stays cpus)
pids=$(jq -c '[.pods[] | {name, pid: .containers[0].pid}] | sort_by(.name)' /tmp/ps.json)
gone=$(spelt_out "$all" | tr ' ' '\n' | tail -n 1)

# counted CPU: whether the agent says that the CPU is shared.
counted() {
  ask /pods >/tmp/ps.json && spelt_out "$(jq -r .shared /tmp/ps.json)" | tr ' ' '\n' | grep -qx "$1"
}
not_counted() { ! counted "$1"; }
check_that "a CPU is shared" counted "$gone"
set_online 0 "$gone"
check_that "offline, the agent does not count it as shared any more" wait_for 30 not_counted "$gone"
check_places "a shared CPU is offline"
set_online 1 "$gone"
back() { [ "$(allowed cpus "$sharer")" = "$all" ]; }
check_that "back online, it is shared again" wait_for 30 back

# the_last_of POD: the highest of its CPUs.
the_last_of() {
  spelt_out "$(of "$1" cpus)" | tr ' ' '\n' | tail -n 1
}

lost=$(the_last_of hit)
moved() { ask /events | jq -e --arg why "CPU $lost is offline" \
  'select(.kind == "moved" and .pod == "hit" and (.message | endswith($why)))'; }
set_online 0 "$lost"
check_that "who loses an exclusive CPU gets another, and that is said" wait_for 30 moved
look
check_places "an exclusive CPU is offline"
check_apart "an exclusive CPU is offline"
check "it has as many as before" 4 "$(count_of "$(of hit cpus)")"
set_online 1 "$lost"

lost=$(the_last_of hit)
kill_agent
set_online 0 "$lost"
start_agent
look
check_places "an exclusive CPU went while the agent was down"
check_apart "an exclusive CPU went while the agent was down"
check "who was not hit keeps its CPUs" "$stays" "$(of stays cpus)"
check "nobody was ended" "$pids" \
  "$(jq -c '[.pods[] | {name, pid: .containers[0].pid}] | sort_by(.name)' /tmp/ps.json)"
check_none "nobody is said to have the lost CPU" "$(
  for list in $(jq -r '.pods[].containers[].cpus' /tmp/ps.json); do
    spelt_out "$list" | tr ' ' '\n'
  done | grep -x "$lost")"
check_that "the agent says what it lost" moved
set_online 1 "$lost"
clear_away
