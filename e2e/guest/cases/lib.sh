# shellcheck shell=sh disable=SC2154 # the machine's shape is in variables of its own
# Words for cases. A case is a list of claims; each prints one line.

claims=0
failures=0

# check WHAT EXPECTED ACTUAL: claims that two texts are the same. Nothing is never expected: where
# both sides come from a program that failed, that is no agreement.
check() {
  claims=$((claims + 1))
  if [ -z "$2" ]; then
    failures=$((failures + 1))
    echo "FAILED $1: expected to know what to expect, found nothing"
  elif [ "$2" = "$3" ]; then
    echo "ok $1"
  else
    failures=$((failures + 1))
    echo "FAILED $1: $(difference "$2" "$3")"
  fi
}

# check_none WHAT ACTUAL: claims that there is nothing.
check_none() {
  check "$1" none "${2:-none}"
}

# check_that WHAT COMMAND...: claims that a command succeeds.
check_that() {
  what=$1
  shift
  "$@"
  check "$what" 0 $?
}

# wait_for SECONDS COMMAND...: repeats the command until it succeeds; fails when time is over. What
# is waited for needs the emulated CPUs too, so the clock is read without a process, and a look that
# takes long is taken less often.
wait_for() {
  hundredths
  deadline=$((now + $1 * 100))
  shift
  until "$@" >/dev/null 2>&1; do
    looked=$now
    hundredths
    [ "$now" -lt "$deadline" ] || return 1
    pause=$((2 * (now - looked)))
    [ $pause -gt 50 ] || pause=50
    sleep $((pause / 100)).$((pause % 100 / 10))
    hundredths
  done
}

# hundredths: sets now, in hundredths of a second since the guest began, which is longer ago than one.
hundredths() {
  read -r now _ </proc/uptime
  now=${now%.*}${now#*.}
}

# note WORDS: a line for the reader that claims nothing.
note() {
  echo "note $*"
}

# difference EXPECTED ACTUAL: the lines, or of many the first that differs.
difference() {
  printf '%s\n' "$1" >/tmp/expected
  printf '%s\n' "$2" | awk '
    { found[NR] = $0 }
    END {
      for (at = 1; (getline expected <"/tmp/expected") > 0; at++) {
        if (!(at in found) || expected != found[at]) break
        expected = "no more"
      }
      where = at > 1 || NR > 1 ? "line " at ": " : ""
      print where "expected \"" expected "\", found \"" (at in found ? found[at] : "no more") "\""
    }'
}

# report: what the runner calls last.
report() {
  [ "$claims" -gt 0 ] || echo "FAILED the case claims something: expected a claim, found none"
  [ "$claims" -gt 0 ] && [ "$failures" -eq 0 ]
}

# cpus_of FILE: the CPUs of a machine in JSON, one on a line: CPU, core, socket, node, cache. What
# has a number of its maker's choice is named by its lowest CPU.
cpus_of() {
  jq -r '.cpus[] | map(tostring) | join(" ")' "$1" | by_lowest_cpu
}

by_lowest_cpu() {
  awk '
    function lowest(kind, id) {
      if (!((kind, id) in first)) first[kind, id] = $1
      return first[kind, id]
    }
    { print $1, lowest("core", $2), lowest("socket", $3), $4, lowest("cache", $5) }'
}

# told_cpus: the same, from the machine's description.
told_cpus() {
  awk -v sockets="$sockets" -v dies="$dies" -v cores="$cores" -v threads="$threads" \
    -v nodes="$nodes" '
    function part(size) { return cpu - cpu % size }
    BEGIN {
      total = sockets * dies * cores * threads
      for (cpu = 0; cpu < total; cpu++)
        print cpu, part(threads), part(total / sockets), int(cpu * nodes / total), part(cores * threads)
    }'
}

told_distances() {
  awk -v nodes="$nodes" -v sockets="$sockets" -v near="$near" -v far="$far" '
    function socket(node) { return int(node * sockets / nodes) }
    BEGIN {
      for (a = 0; a < nodes; a++) {
        line = ""
        for (b = 0; b < nodes; b++)
          line = line "," (a == b ? 10 : socket(a) == socket(b) ? near : far)
        print "[" substr(line, 2) "]"
      }
    }'
}

# spelt_out LIST...: 0-2,5 as 0 1 2 5.
spelt_out() {
  echo "$*" | tr ', ' '\n\n' | awk -F - 'NF { for (i = $1; i <= $NF; i++) print i }' | xargs
}

# without_cpus LIST: lines that do not begin with a number of the list.
without_cpus() {
  awk -v list="$(spelt_out "$1")" '
    BEGIN { count = split(list, cpu, " "); for (i = 1; i <= count; i++) left[cpu[i]] = 1 }
    !($1 in left)'
}

# set_online 0|1 CPU...
set_online() {
  wanted=$1
  shift
  for cpu in $(spelt_out "$*"); do
    echo "$wanted" >"/sys/devices/system/cpu/cpu$cpu/online"
  done
}
