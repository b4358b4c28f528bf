# shellcheck shell=sh
# Where pods prefer whole L3 caches, they get them.
# shellcheck source=e2e/guest/cases/agent-lib.sh
. /berth/cases/agent-lib.sh

# caches_of CPUS: the caches of a list of CPUs, by their lowest CPU, each with how many of them.
caches_of() {
  told_cpus | awk -v list="$(spelt_out "$1")" '
    BEGIN { count = split(list, cpu, " "); for (i = 1; i <= count; i++) wanted[cpu[i]] = 1 }
    $1 in wanted { number[$5]++ }
    END { for (cache in number) print number[cache] }' | xargs
}

write_config <<END
cpuManagerPolicyOptions: {prefer-align-cpus-by-uncorecache: "true"}
END
start_agent
{ pod one 1 64Mi; pod two 2 64Mi; pod six 6 64Mi; } | apply
look
check_places caches
check_apart caches
check "a pod as large as a cache has one" 2 "$(caches_of "$(of two cpus)")"
check "a larger one has whole ones only" "2 2 2" "$(caches_of "$(of six cpus)")"
clear_away
