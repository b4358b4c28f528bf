# shellcheck shell=sh
# Topology policies restricted and single-numa-node refuse what they cannot place.
# shellcheck source=e2e/guest/cases/policies-lib.sh
. /berth/cases/policies-lib.sh

under restricted
check_granted restricted wide
check_two_nodes restricted wide
check_one_node restricted first
check_one_node restricted second
check_refused restricted third
clear_away

under single-numa-node
check_refused single-numa-node wide
for name in first second third; do
  check_one_node single-numa-node "$name"
done
clear_away
