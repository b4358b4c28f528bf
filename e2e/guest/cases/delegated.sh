# shellcheck shell=sh disable=SC2034,SC2154 # agent-lib's
# Another user than root runs the agent in a cgroup that root has handed over.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

echo "+cpuset +cpu +memory +hugetlb" >$group/cgroup.subtree_control
mkdir -p $group/tenant /tmp/tenant
chown 1000:1000 $group/tenant $group/tenant/cgroup.procs $group/tenant/cgroup.subtree_control \
  $group/tenant/cgroup.threads /tmp/tenant
state=/tmp/tenant/state
socket=/tmp/tenant/berth.sock
write_config <<END
topologyManagerPolicy: single-numa-node
END
cat >/tmp/as-tenant <<'END'
#!/bin/sh
echo $$ >/sys/fs/cgroup/tenant/cgroup.procs
HOME=/tmp/tenant exec setpriv --reuid 1000 --regid 1000 --clear-groups "$@"
END
chmod +x /tmp/as-tenant
start_agent /tmp/as-tenant
{ shared_pod sharer; pod one 6 64Mi; } | apply
look
check_places delegated
check_apart delegated
check "its pods live in the group that was handed over" "$group/tenant" \
  "$(group_of "$(of one pid)" | cut -d / -f 1-5)"
check "as the same user" 1000 "$(stat -c %u "/proc/$(of one pid)")"
check "on one node" 1 "$(spread "$(of one cpus)" | wc -l)"
clear_away

# With somebody else in the group, the kernel lets it hand nothing down.
mkdir $group/tenant
chown 1000:1000 $group/tenant $group/tenant/cgroup.procs $group/tenant/cgroup.subtree_control
sleep 3600 &
other=$!
echo $other >$group/tenant/cgroup.procs
start_agent /tmp/as-tenant
pod one 6 64Mi | apply
look
check "in a group that others are in, the pod is bound to its CPUs all the same" \
  "$(of one cpus)" "$(allowed cpus "$(of one pid)")"
check_that "which is said to be less" sh -c 'jq -r .caution /tmp/ps.json | grep .'
kill $other
remove one
clear_away
