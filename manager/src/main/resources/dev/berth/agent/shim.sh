# Runs one container and keeps its exit code until somebody asks, the agent running or not.
#
#   sh THIS-FILE FILES LOG OWN-GROUPS GROUPS CPUS USER FOLDER COMMAND...
#
# FILES is a path to which endings are added, each a symbolic link whose target is the message, for
# that is made whole or not at all:
#   FILES.shim   "PID START" of this shell; made first, and whoever makes it owns this start
#   FILES.pid    "PID START" of the container's first process, once it is in its groups, or on its CPUs
#   FILES.exit   "CODE"
# OWN-GROUPS and GROUPS are cgroup.procs files, one a line, for this shell and for the container.
# CPUS is a list to run on where there are no groups. USER is UID:GID or empty.

# born: "PID START" of the process that calls it, from the kernel's own table. The name in it may
# hold blanks and brackets, so what counts stands behind the last of these.
born() {
  read -r berth_stat </proc/self/stat || return 1
  berth_pid=${berth_stat%% *}
  berth_rest=${berth_stat##*) }
  # Nineteen words stand before the start: an outer loop would be a process of its own.
  for berth_word in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
    berth_rest=${berth_rest#* }
  done
  berth_born="$berth_pid ${berth_rest%% *}"
}

# join FILES: moves the process that calls it into groups.
join() {
  berth_ifs=$IFS
  IFS='
'
  for berth_file in $1; do
    echo 0 >"$berth_file" || return 1
  done
  IFS=$berth_ifs
}

berth_files=$1 berth_log=$2 berth_own=$3 berth_groups=$4 berth_cpus=$5 berth_user=$6 berth_folder=$7
shift 7

# The container's own PATH may name nothing that this shell needs.
berth_path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin

# Asked to end, it waits on: the container is asked by itself.
trap : HUP INT QUIT TERM
born && ln -s "$berth_born" "$berth_files.shim" 2>/dev/null || exit 0
join "$berth_own" 2>/dev/null
# Better to run without a log than not at all.
true 2>/dev/null >>"$berth_log" || berth_log=/dev/null
(
  join "$berth_groups" || exit 126
  born || exit 126
  # Before anybody hears of it: who does may know better by then, and has the last word.
  if [ -n "$berth_cpus" ]; then
    taskset -cp "$berth_cpus" "$berth_pid" >/dev/null || exit 126
  fi
  ln -s "$berth_born" "$berth_files.pid" || exit 126
  cd "$berth_folder" || exit 126
  if [ -n "$berth_user" ]; then
    set -- "$(command -v setpriv)" --reuid "${berth_user%:*}" --regid "${berth_user#*:}" \
      --clear-groups -- "$@"
  fi
  if [ -n "$berth_cpus" ]; then
    # Without a group a session of its own tells who belongs to it, whoever their parents were.
    set -- "$(command -v setsid)" "$@"
  fi
  PATH=$berth_path
  unset OLDPWD berth_files berth_log berth_own berth_groups berth_cpus berth_user berth_folder \
    berth_path berth_stat berth_pid berth_rest berth_word berth_born berth_ifs berth_file
  exec "$@"
) >>"$berth_log" 2>&1 </dev/null
ln -s "$?" "$berth_files.exit"
