# shellcheck shell=sh disable=SC2034,SC2154 # words of the libraries
# Pods come and go while the machine is about to lose its power. Each answer of the agent is told
# outside as soon as it is here; e2e/guest/powercuts stops the machine and looks at the disk.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

mkdir -p /tmp/data
mount -t ext4 /dev/nvme0n3 /tmp/data
check "the disk that loses power is there" 0 $?
state=/tmp/data/berth
busy="exec sleep 36000"
write_config <<END
topologyManagerPolicy: best-effort
END
start_agent
echo "TOLD ready"

# told NAME: what the agent answered about a pod that it was handed.
told() {
  jq -r '.pods[0] | "TOLD \(.outcome) \(.name) \(.message)"' /tmp/apply.json
}

turn=0
while :; do
  turn=$((turn + 1))
  name=p$turn
  echo "TOLD apply $name"
  pod $name $((turn % 4 + 1)) 1Mi | apply && told
  # The first stays for ever, so that one answer is as old as the run.
  if [ $turn -gt 7 ]; then
    name=p$((turn - 5))
    echo "TOLD remove $name"
    remove $name && echo "TOLD removed $name"
  fi
  [ "$failures" -eq 0 ] || give_up
done
