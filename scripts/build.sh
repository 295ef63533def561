# What berth, check and bench/run share: finding Java and Maven, building one at a time, and how Java runs Berth. To be
# sourced; the caller sets "here" to the repository and "me" to the name it speaks under.

# The quick compiler alone: the thorough one costs a start more than the whole program, and what it gains shows only
# where thousands of pods a second are decided on, which no API server takes. And few new
# objects at a time: Java stops the loop while it collects them, and questions wait. With 128 MB a collection took up to
# 95 ms, with 32 MB up to 41 ms; all of them together take a third longer.
readonly berth_jvm=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxNewSize=32m) berth_heap=1g

die() { printf '%s: %s\n' "$me" "$*" >&2; exit 1; }

# For a setting that makes no sense, as the commands of Berth itself end.
misset() { printf '%s: %s\n' "$me" "$*" >&2; exit 2; }

# Says the caller's usage and ends, where any of the words asks for it.
help_if_asked() {
  local word
  for word in "$@"; do
    case $word in --help | -h) usage; exit 0 ;; esac
  done
}

# Sets "java" to a command that is there and new enough. Maven takes the same one: JAVA_HOME's, else the PATH's.
find_java() {
  local oldest=17 where="on the PATH" words version
  java=java
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java where="in JAVA_HOME ($JAVA_HOME)"
  fi
  command -v "$java" > /dev/null || die "there is no java $where. Maybe install a JDK $oldest or newer, or point JAVA_HOME at one."
  words=$("$java" -version 2>&1) || die "the java $where does not run: ${words%%$'\n'*}"
  # openjdk version "17.0.15" 2025-04-15; before Java 9 it was "1.8.0_432".
  version=$(sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' <<< "$words" | head -n 1)
  [ "${version:-$oldest}" -ge $oldest ] ||
    die "the java $where is version $version, and Berth needs $oldest or newer. Maybe point JAVA_HOME at a newer one."
}

# Dies unless Berth can be built with the Java that was found.
need_maven() {
  command -v mvn > /dev/null || die "there is no mvn on the PATH. Maybe install Maven 3.8 or newer: Berth is built with it."
  local real
  real=$(readlink -f "$(command -v "$java")")
  [ -x "${real%/*}/javac" ] ||
    die "the Java in ${real%/bin/java} has no javac, and Berth is built with it. Maybe install a JDK, or point JAVA_HOME at one."
}

# Waits until nobody else builds in this folder, and keeps others from it until unlock_build or the end of the process.
lock_build() {
  command -v flock > /dev/null || return 0
  mkdir -p "$here/target"
  exec 9> "$here/target/build.lock"
  flock -n 9 && return
  echo "$me: another build in this folder is under way; waiting for it" >&2
  flock 9
}

unlock_build() { exec 9>&-; }
