# shellcheck shell=sh disable=SC2016,SC2154 # for another shell; state, socket and the machine's shape
# Where no agent listens, run brings one, which isolates what nobody is to disturb.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

export BERTH_SOCKET="$socket"
berth run --undisturbed --cpus 1 --name apart --state "$state" -- sh -c '
  echo "partition $(cat "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/cpuset.cpus.partition")"
  sed -n "s/^Cpus_allowed_list:/own/p" /proc/self/status
  sed -n "s/^Cpus_allowed_list:/others/p" /proc/1/status
  curl -sS --unix-socket "$BERTH_SOCKET" http://agent/pods >/tmp/ps.json' >brief 2>&1
check "a command that brings its agent along and is to be undisturbed runs" "0" "$?"
check "in an isolated partition" isolated "$(sed -n 's/^partition //p' brief)"
check "of one CPU" 1 "$(count_of "$(sed -n 's/^own\t//p' brief)")"
last=$((sockets * dies * cores * threads - 1))
check "the machine has all others but the one that is shared" "0-$((last - 2))" \
  "$(sed -n 's/^others\t//p' brief)"
check "as the agent says" undisturbed "$(jq -r '[.pods[].containers[] | select(.undisturbed) | "undisturbed"][0]' /tmp/ps.json)"
ended() { ! ask /healthz && none_left; }
check_that "its agent ends with it" wait_for 60 ended
whole() { [ "$(allowed cpus 1)" = "0-$last" ]; }
check_that "and everybody may run anywhere again" wait_for 20 whole
if [ "$failures" -gt 0 ]; then
  sed 's/^/run: /' brief
  sed 's/^/agent: /' "$state/agent.log"
fi
rm -rf brief /tmp/ps.json "$state" /run/berth
