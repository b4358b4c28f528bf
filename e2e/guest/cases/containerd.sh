# shellcheck shell=sh disable=SC2154 # the words of runtime-lib.sh
# containerd runs pods, and Berth says by NRI where: where the kubelet's own static policy would have
# them, from the first instruction.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh
# shellcheck source=e2e/guest/cases/runtime-lib.sh
. /berth/cases/runtime-lib.sh

start_containerd
static_managers
mv /tmp/managers /tmp/config.yaml
nri="--runtime nri --runtime-socket /var/run/nri/nri.sock"
# shellcheck disable=SC2086 # words
start_agent_with $nri
all_come
check_answer Berth
check_owners
look
check_places "by NRI"
check_apart "by NRI"

kill_agent
# shellcheck disable=SC2086 # words
start_agent_with $nri
look
check_places "after a restart of the agent"

go whole
back() { [ "$(place free/app)" = 0-1,5,12-31 ]; }
check_that "those who share get what an owner leaves" wait_for 60 back
tell_failures
