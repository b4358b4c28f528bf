# shellcheck shell=sh
# Topology policies none and best-effort refuse nobody for a place.
# shellcheck source=e2e/guest/cases/policies-lib.sh
. /berth/cases/policies-lib.sh

under none
for name in wide first second third; do
  check_granted none "$name"
done
clear_away

under best-effort
for name in wide first second third; do
  check_granted best-effort "$name"
done
check_two_nodes best-effort wide
check_one_node best-effort first
check_one_node best-effort second
check "best-effort: third has all of its CPUs, from several nodes" 6 \
  "$(count_of "$(of third cpus)")"
clear_away
