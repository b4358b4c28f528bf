# shellcheck shell=sh disable=SC2154 # sockets, nodes and their kin are the machine's
# CPUs that the kernel was told to isolate are known as such.

isolated=$(sed -n 's/.*isolcpus=\([^ ]*\).*/\1/p' /proc/cmdline)
all=$(cat /sys/devices/system/cpu/online)

taskset -c "$all" berth topology -o json >machine.json
check "the isolated CPUs are named" "$isolated" "$(jq -r .isolated machine.json)"
check "they are CPUs of the machine to one who may use them" \
  "$(told_cpus)" "$(cpus_of machine.json)"

# Everything else starts with an affinity from which the kernel took them.
berth topology -o json >others.json 2>notes
check "to others they are none" "$(told_cpus | without_cpus "$isolated")" "$(cpus_of others.json)"
check_that "which is said, with their numbers" grep -q "CPUs $isolated are left out" notes
