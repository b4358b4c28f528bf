# shellcheck shell=sh disable=SC2034,SC2154 # words of the libraries
# Disks of machines that lost their power: mounted, which replays ext4's journal, and the state
# folder of each handed out on the last disk. On the first of them an agent starts as well.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

mkdir -p /tmp/disk /tmp/out
last=$(ls -d /dev/nvme0n* | wc -l)
mount -t ext4 "/dev/nvme0n$last" /tmp/out
check "the disk for what is found is there" 0 $?
number=3
while [ $number -lt "$last" ]; do
  mount -t ext4 "/dev/nvme0n$number" /tmp/disk || check "disk $number can be mounted" 0 1
  [ ! -d /tmp/disk/berth ] || tar -cf "/tmp/out/$((number - 3)).tar" -C /tmp/disk berth
  if [ $number -eq 3 ]; then
    state=/tmp/disk/berth
    write_config <<END
topologyManagerPolicy: best-effort
END
    start_agent
    ask /pods >"/tmp/out/$((number - 3)).json"
    check "the agent that starts on it tells of pods" 0 $?
    clear_away
  fi
  umount /tmp/disk
  number=$((number + 1))
done
umount /tmp/out
check "all of it is handed out" 0 $?
