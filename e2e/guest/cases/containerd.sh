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
echo 'berth: {devicePlugins: /tmp/plugins}' >>/tmp/config.yaml
nri="--runtime nri --runtime-socket /var/run/nri/nri.sock"
# shellcheck disable=SC2086 # words
start_agent_with $nri
all_come
check_answer Berth
check_owners
look
check_places "by NRI"
check_apart "by NRI"

# A device near the last node has the CPUs there, though others are free before. The plugin ends with
# its standard input, or where nobody answers it in time, as may be the first time in here.
mkfifo /tmp/orders
registered() { ask /metrics | grep -q 'berth_devices{resource="vendor.example/gpu",health="healthy"} 1'; }
over() { registered || ! kill -0 $plugin 2>/dev/null; }
for _ in 1 2 3 4 5 6; do
  $programs/deviceplugin /tmp/plugins vendor.example/gpu gpu-0@3 >>/tmp/plugin.log 2>&1 <>/tmp/orders &
  plugin=$!
  wait_for 40 over
  registered && break
  kill $plugin
done
check_that "a device plugin tells of its device" registered
registered || cat /tmp/plugin.log /tmp/agent.log
come near guaranteed app=2000+vendor.example/gpu
await_start near/app
check "CPUs are near the device, from the first instruction" 3 "$(nodes_of "$(told near app | tr '\n' ',' | sed 's/,$//')")"

# Whom the device was handed keeps it, plugin or not.
kill $plugin
kill_agent
# shellcheck disable=SC2086 # words
start_agent_with $nri
look
check_places "after a restart of the agent"

go whole
back() { [ "$(place free/app)" = 0-1,5,12-23,26-31 ]; }
check_that "those who share get what an owner leaves" wait_for 60 back
tell_failures
