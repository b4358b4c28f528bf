# shellcheck shell=sh
# Starts Berth. Sourced by ./berth and by the berth of a package; POSIX sh without another program,
# for a start is to be over in a fraction of a second.

# flags_of short|long|agent: sets flags. A short command is over before a better compiler pays for
# itself, and before most of what the other one would compile does: that waits for twice as many calls
# as usual, which a long one gains by, too. An agent mostly waits, and is to be small: the better
# compiler alone takes 30 MB. It is asked seldom, and whoever asks waits, so it compiles after a tenth
# of the usual number of calls. One that runs out of memory ends, which its containers do not notice,
# rather than go on with half of something done.
flags_of() {
  flags="-XX:+UseSerialGC -XX:+UseCompactObjectHeaders --enable-native-access=ALL-UNNAMED"
  # The JVM's own warnings go to standard output, where answers belong.
  flags="$flags -Xlog:disable -Xlog:all=error:stderr"
  # Picocli would look through every jar for a class of Groovy's, and in the JDK's for methods that
  # make a time, a connection or a path of a word; paths are made by Place.
  flags="$flags -Dpicocli.disable.closures=true -Dpicocli.converters.excludes=java.+"
  # A cache is used where it was made to lie: elsewhere every pointer in it is rewritten first. A JDK
  # that no longer knows of that is not to refuse its start.
  flags="$flags -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
  # A cache also holds what the JVM learned of the code that was recorded, which ran once: code that is
  # compiled by that and then runs long may be half as fast as it could be.
  flags="$flags -XX:-AOTReplayTraining"
  case $1 in
    # Descriptors are left as they are, for a command that berth run becomes. The JVM of a command writes no
    # file about itself, by which jps would find it.
    short) flags="$flags -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=2 -XX:-MaxFDLimit -XX:-UsePerfData" ;;
    long) flags="$flags -XX:CompileThresholdScaling=2 -XX:-UsePerfData" ;;
    agent)
      flags="$flags -Xmx38m -Xmn8m -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=0.1"
      # A thread keeps the largest buffer it ever needed for a write, unless it is told not to.
      flags="$flags -XX:+ExitOnOutOfMemoryError -Djdk.nio.maxCachedBufferSize=65536"
      # What a flood of requests took is given back, which the C library alone would keep.
      flags="$flags -XX:TrimNativeHeapInterval=2000" ;;
  esac
}

# length_of ARGUMENT...: sets length to short or long. A day of 100,000 pods and all recorded cases of
# Kubernetes take less time than the better compiler needs to be done with their code; a comparison
# takes more.
length_of() {
  length=short
  case ${1-} in
    bench) length=long ;;
    simulate)
      for word in "$@"; do
        [ "$word" != --compare ] || length=long
      done ;;
  esac
}

# recording KIND JAVA CLASSPATH FILE: lets the JVM record what a start of commands or agent loads and
# links. They have a cache each, for the JVM loads all of it at every start.
recording() {
  flags_of short
  # shellcheck disable=SC2086 # words without spaces
  "$2" $flags "-XX:AOTCacheOutput=$4" -cp "$3" dev.berth.cli.Training "$1"
}

# writing JAVA CLASSPATH FOLDER: writes the manual's pages and the shells' scripts, for berth man and
# berth completion to print.
writing() {
  flags_of short
  # shellcheck disable=SC2086 # words without spaces
  "$1" $flags -cp "$2" dev.berth.cli.Pages "$3"
}

# launch JAVA CLASSPATH CACHES SCRIPT ARGUMENT...: becomes Berth. CACHES is the folder of commands.aot,
# agent.aot and pages; what is not there is done without. SCRIPT is what starts another one.
launch() {
  java=$1 classpath=$2 cache=$3/commands.aot pages=${3:+$3/pages} script=$4
  shift 4
  case ${1-} in
    agent) flags_of agent && cache=${cache%/*}/agent.aot ;;
    *) length_of "$@" && flags_of $length ;;
  esac
  if [ -t 1 ]; then
    flags="$flags -Dberth.terminal=true"
    if [ -z "${COLUMNS:-}" ] && size=$(stty size 2>/dev/null </dev/tty); then
      flags="$flags -Dberth.columns=${size#* }"
    fi
  fi
  [ ! -t 2 ] || flags="$flags -Dberth.terminal.errors=true"
  # A closed standard output would be taken by the first file the JVM opens.
  { true 3>&1; } 2>/dev/null || exec >/dev/null
  [ -f "$cache" ] || cache=
  # shellcheck disable=SC2086 # words without spaces, but for the paths, which are quoted
  exec "$java" $flags ${cache:+"-XX:AOTCache=$cache"} "-Dberth.script=$script" \
    "-Dberth.pages=$pages" ${BERTH_JAVA_OPTS:-} -cp "$classpath" dev.berth.cli.Main "$@"
}
