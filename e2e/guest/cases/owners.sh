# shellcheck shell=sh
# No CPU has two owners, however often the agent is killed and whatever becomes of its state: at least 20 exclusive
# containers, read from /proc and the cgroup files alone. The kernel's command line tells how many rounds
# (berth.rounds, 10); owners-v1 does the same on version 1 of cgroups.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh
# shellcheck source=e2e/guest/cases/owners-lib.sh
. /berth/cases/owners-lib.sh

word() {
  sed -n "s/.*berth\.$1=\([0-9]*\).*/\1/p" /proc/cmdline
}

rounds=$(word rounds)
rounds=${rounds:-10}
version=${version:-2}
reserved=0-1
pods=$group/berth/pods

# one_tree_each: version 1 in the place of version 2.
one_tree_each() {
  umount $group && mount -t tmpfs tmpfs $group || return
  for tree in cpuset cpu memory; do
    mkdir $group/$tree && mount -t cgroup -o $tree cgroup $group/$tree || return
  done
  pods=$group/cpuset/berth/pods
}

# again: the next agent, once it is ready.
again() {
  start_agent >/tmp/owners.start
  case $(cat /tmp/owners.start) in *FAILED*) cat /tmp/owners.start ;; esac
}

[ "$version" = 2 ] || check_that "the guest has version 1" one_tree_each
write_config <<END
memoryManagerPolicy: None
END
start_agent
add_sharers 3
refill 20
look_at_owners "before"
churn "$rounds" 20 kept
check "cgroup v$version: no CPU has two owners after $rounds kills" 0 "$broken"
check_that "cgroup v$version: at least 20 exclusive containers in each round, $fewest" test "$fewest" -ge 20
churn "$rounds" 20 lost
check "cgroup v$version: no CPU has two owners after $rounds starts from state that is absent, old or damaged" 0 "$broken"
check_that "cgroup v$version: at least 20 exclusive containers in each such round, $fewest" test "$fewest" -ge 20
note "cgroup v$version: $looks looks at the kernel"
kill_agent
