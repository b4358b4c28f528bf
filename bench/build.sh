# shellcheck shell=bash
# shellcheck disable=SC2154 # the scripts that source it set them
# Builds what is measured. Sourced behind scripts/toolchain.sh by the scripts beside it, which set root, here
# and out.

# build: the product as it is run, and the benchmarks, where anything has changed since the last time.
build() {
  local sources=()
  find_jdk && find_maven || exit 2
  export JAVA_HOME=$jdk
  "$root/berth" --version >/dev/null
  mkdir -p "$out"
  sources=("$root"/pom.xml "$root"/*/pom.xml "$root"/*/src)
  if [ -d "$here/target/lib" ] && [ -d "$root/manager/target/test-classes" ] && [ -e "$out/built" ] &&
    [ -z "$(find "${sources[@]}" -newer "$out/built" -print -quit)" ]; then
    return
  fi
  touch "$out/building" # what changes meanwhile is not in it
  (cd "$root" && "$mvn" -B -ntp -q -DskipTests -Djacoco.skip=true -Dspotless.check.skip=true \
    -Dmaven.javadoc.skip=true package) >"$out/build.log" 2>&1 || {
    grep ERROR "$out/build.log" | head -n 20 >&2
    say "the build failed; all of it is in $out/build.log"
    exit 1
  }
  mv "$out/building" "$out/built"
}

# lasting CLASS...: a JVM for what runs longer.
lasting() {
  "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders \
    --enable-native-access=ALL-UNNAMED -cp "$here/target/lib/*:$(echo "$here"/target/berth-bench-*.jar)" "$@"
}
