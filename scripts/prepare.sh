# shellcheck shell=sh
# What the scripts that prepare tests with real runtimes share. Sourced after toolchain.sh, with the
# folder for a log in $out; sets absent to 1 when something cannot be had.

absent=0

# lacking WORDS: says what this machine cannot have, and remembers that there was something.
lacking() {
  say "$*"
  # shellcheck disable=SC2034 # The script that sources this file exits by it.
  absent=1
}

apt_quietly() {
  command -v apt-get >/dev/null || return 1
  # shellcheck disable=SC2154 # The script that sources this file sets it.
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o APT::Sandbox::User=root "$@" >>"$out/prepare.log" 2>&1
}

# need COMMAND PACKAGE: installs the package where the command is absent and that is allowed.
need() {
  command -v "$1" >/dev/null && return
  if [ "$(id -u)" -eq 0 ]; then
    apt_quietly install -y --no-install-recommends "$2" ||
      { apt_quietly update && apt_quietly install -y --no-install-recommends "$2"; }
  fi
  command -v "$1" >/dev/null || { lacking "needs $1 (Debian: apt install $2)"; return 1; }
}
