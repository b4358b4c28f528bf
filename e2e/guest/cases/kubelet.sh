# shellcheck shell=sh
# Where a real kubelet has the pods of the case containerd, by its own static policy.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh
# shellcheck source=e2e/guest/cases/runtime-lib.sh
. /berth/cases/runtime-lib.sh

: >/tmp/agent.log
start_containerd
static_managers
start_kubelet
all_come
check_answer "the kubelet"
check_owners
