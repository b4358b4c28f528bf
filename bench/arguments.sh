# shellcheck shell=sh
# What the scripts beside it may be told, looked at before anything is built or started: a word that is no number
# would count as a limit that everybody keeps. POSIX sh, for bench/startup sources it too.

# refuse WHAT EXPECTED FOUND: one line, and the end of the script that sources this file.
refuse() {
  printf 'bench/%s: %s: expected %s, found %s\n' "${0##*/}" "$1" "$2" "$3" >&2
  exit 2
}

# whole NAME VALUE [OR]: OR is the end of what was expected where there is more than a number.
whole() {
  case $2 in
    '' | 0 | *[!0-9]*) refuse "$1" "a whole number above 0${3-}" "\"$2\"" ;;
    # The shell would read it to the base of 8.
    0*) refuse "$1" "a whole number above 0 without zeros before it${3-}" "\"$2\"" ;;
    # The shell cannot compare what does not fit it.
    ??????????*) refuse "$1" "a whole number of nine digits at most${3-}" "\"$2\"" ;;
  esac
}

# decimal NAME VALUE: 3 or 1.3.
decimal() {
  case $2 in
    '' | .* | *. | *[!0-9.]* | *.*.*) refuse "$1" "a number above 0 such as 1.5" "\"$2\"" ;;
    *[1-9]*) ;;
    *) refuse "$1" "a number above 0 such as 1.5" "\"$2\"" ;;
  esac
}

# limit NAME VALUE: a whole number, or nothing where no limit is asked for.
limit() {
  [ -z "$2" ] || whole "$@"
}

# at_most COUNT ARGUMENT...: more of them would be passed over.
at_most() {
  [ $(($# - 1)) -le "$1" ] || refuse arguments "$1 at most" $(($# - 1))
}

# startable PROGRAM: that it can be started.
startable() {
  command -v "$1" >/dev/null 2>&1 || refuse PROGRAM "one that can be started" "\"$1\""
}
