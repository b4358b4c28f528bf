# shellcheck shell=sh disable=SC2154 # socket is agent-lib's
# What a person types: apply, ps, explain and run, each a JVM of its own.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

write_config <<END
topologyManagerPolicy: single-numa-node
END
start_agent
export BERTH_SOCKET="$socket"

pod alone 4 64Mi >alone.yaml
berth apply -f alone.yaml >applied 2>&1
check "apply says where the pod sits" "0 alone: admitted" "$? $(sed 's/\(admitted\):.*/\1/' applied)"
look
check_places commands
check_that "ps shows the pod with its CPUs" sh -c "berth ps | grep '^alone .* $(of alone cpus)\$\|alone.* $(of alone cpus) '"
check_that "explain tells which node it was" sh -c "berth explain alone | grep -i 'node'"

# A file tells where the command is, and that it has begun.
berth run --cpus 2 --name brief -- sh -c \
  'grep Cpus_allowed_list /proc/self/status; echo "BERTH_CPUS $BERTH_CPUS"; exit 7' >brief 2>&1
check "run passes the exit code through" 7 $?
told=$(sed -n 's/^BERTH_CPUS //p' brief)
check "the command is on two CPUs" 2 "$(count_of "$told")"
check "which are those that it is told" "$told" "$(sed -n 's/^Cpus_allowed_list:\t//p' brief)"
check_none "and nobody else's" "$(spelt_out "$told" "$(of alone cpus)" | tr ' ' '\n' | sort | uniq -d)"

berth run --cpus 2 --name lasting -- sh -c 'echo $$ >/tmp/lasting; exec sleep 3600' &
lasting=$!
check_that "a command that lasts begins" wait_for 60 test -s /tmp/lasting
check "it has become the process that was started" "$lasting" "$(cat /tmp/lasting)"
kill -TERM "$lasting"
wait "$lasting"
check "a signal to run is one to the command" 143 $?
gone() { ask /pods >/tmp/ps.json && [ -z "$(phase_of lasting)" ]; }
check_that "its CPUs are free again then" wait_for 20 gone
rm -f alone.yaml applied brief /tmp/lasting
clear_away
