# shellcheck shell=sh
# Finds a JDK and Maven, and says in one line where there is none. Sourced by ./berth and ./verify;
# POSIX sh, so that it runs wherever they do.

required_java=25

# say WORDS: a line for the person, named after the script that sources this file.
say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# java_major HOME: prints the feature version of the JDK there, or nothing if it is none.
java_major() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
  java_version=
  if [ -r "$1/release" ]; then
    while IFS='=' read -r release_key release_value; do
      [ "$release_key" = JAVA_VERSION ] && java_version=$release_value
    done <"$1/release"
  else
    java_version=$("$1/bin/javac" -version 2>&1) && java_version=${java_version#javac }
  fi
  java_version=${java_version#\"}
  java_version=${java_version%%[!0-9]*}
  printf '%s' "$java_version"
}

# is_jdk HOME [exact]: whether HOME holds a JDK that is new enough (or of the very version).
is_jdk() {
  [ -n "$1" ] && [ -d "$1" ] || return 1
  major=$(java_major "$1")
  [ -n "$major" ] || return 1
  case ${2-} in
    exact) [ "$major" -eq "$required_java" ] ;;
    *) [ "$major" -ge "$required_java" ] ;;
  esac
}

# java_on_path: prints the home of the java that PATH names, or nothing.
java_on_path() {
  found=$(command -v java 2>/dev/null) || return 0
  found=$(readlink -f "$found" 2>/dev/null) || return 0
  found=${found%/bin/java}
  [ -d "$found" ] && printf '%s' "$found"
}

# usual_jdk [exact]: sets jdk to the first fitting one of the places where JDKs are put.
usual_jdk() {
  home=${HOME:-/nonexistent}
  for jdk in \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /usr/local/jdk* \
    "$home"/.sdkman/candidates/java/* "$home"/.asdf/installs/java/* \
    "$home"/.local/share/mise/installs/java/* "$home"/.jdks/* "$home"/.gradle/jdks/* \
    "$home"/jdk* /opt/* /opt/java/* /opt/jdk/* /opt/jvm/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$home"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    is_jdk "$jdk" "${1-}" && return 0
  done
  jdk=
  return 1
}

# find_jdk: sets jdk, or says what is missing and fails. The user's own choice goes first; among
# the others, the version that Berth is tested with.
find_jdk() {
  jdk=${JAVA_HOME:-}
  is_jdk "$jdk" && return 0
  jdk=$(java_on_path)
  is_jdk "$jdk" && return 0
  if [ -x /usr/libexec/java_home ]; then
    jdk=$(/usr/libexec/java_home -v "$required_java+" 2>/dev/null)
    is_jdk "$jdk" && return 0
  fi
  usual_jdk exact && return 0
  usual_jdk && return 0
  say "needs a JDK $required_java or newer and found none: set JAVA_HOME to one, or install it" \
    "(Debian trixie: apt install openjdk-$required_java-jdk-headless; elsewhere: Temurin" \
    "$required_java, https://adoptium.net)"
  return 2
}

# find_maven: sets mvn, or says what is missing and fails.
find_maven() {
  home=${HOME:-/nonexistent}
  for mvn in \
    "${MVN:-}" "$(command -v mvn 2>/dev/null)" \
    "${M2_HOME:+$M2_HOME/bin/mvn}" "${MAVEN_HOME:+$MAVEN_HOME/bin/mvn}" \
    "$home"/.sdkman/candidates/maven/current/bin/mvn /opt/maven/bin/mvn \
    /opt/apache-maven*/bin/mvn /usr/share/maven/bin/mvn; do
    [ -n "$mvn" ] && command -v "$mvn" >/dev/null 2>&1 && return 0
  done
  say "needs Maven 3.8 or newer to build and found none: set MVN to its mvn, or install it" \
    "(Debian: apt install maven; elsewhere: https://maven.apache.org/download.cgi)"
  return 2
}
