# shellcheck shell=sh
# A shared container follows the shared pool as exclusive pods come and go.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

write_config <<END
topologyManagerPolicy: best-effort
END
start_agent
shared_pod sharer | apply
look
sharer=$(of sharer pid)
before=$(allowed cpus "$sharer")
check "alone, it may use all that is not reserved for good" "$(jq -r .shared /tmp/ps.json)" "$before"

pod taker 8 64Mi | apply
look
check_places "beside an exclusive pod"
check_apart "beside an exclusive pod"
check "the sharer is the same process" "$sharer" "$(of sharer pid)"
check "it has lost what the exclusive pod has" \
  "$(spelt_out "$before" | tr ' ' '\n' | without_cpus "$(of taker cpus)" | xargs)" \
  "$(spelt_out "$(allowed cpus "$sharer")")"

taker=$(of taker pid)
remove taker
back() { [ -n "$before" ] && [ "$(allowed cpus "$sharer")" = "$before" ]; }
check_that "once that pod is gone, the sharer has everything back" wait_for 20 back
check_that "the removed pod's process is gone" test ! -e "/proc/$taker"
clear_away
