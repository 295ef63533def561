# The common part of berth, check and bench/run: it finds Java and Maven, locks the build, and has the Java options of Berth.
# Source it. The caller sets "here" to the repository and "me" to the name that messages begin with.

# Only the quick compiler: at a start, the optimizing compiler costs more time than the whole program. It gains something
# only for thousands of decisions per second, more than an API server accepts. The young generation is small, because
# requests wait while Java collects it. A collection of 128 MB took up to 95 ms, one of 32 MB up to 41 ms. The total
# collection time is a third longer.
readonly berth_jvm=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:MaxNewSize=32m) berth_heap=1g

die() { printf '%s: %s\n' "$me" "$*" >&2; exit 1; }

# For an invalid setting. The exit code is that of the commands of Berth.
misset() { printf '%s: %s\n' "$me" "$*" >&2; exit 2; }

# Prints the usage of the caller and exits, if an argument asks for it.
help_if_asked() {
  local word
  for word in "$@"; do
    case $word in --help | -h) usage; exit 0 ;; esac
  done
}

# Sets "java" to a command that exists and is new enough. Maven uses the same Java: that of JAVA_HOME, otherwise that of PATH.
find_java() {
  local oldest=17 where="on the PATH" words version
  java=java
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java where="in JAVA_HOME ($JAVA_HOME)"
  fi
  command -v "$java" > /dev/null || die "java was not found $where. Install a JDK $oldest or newer, or set JAVA_HOME to one."
  words=$("$java" -version 2>&1) || die "the java $where does not run: ${words%%$'\n'*}"
  # openjdk version "17.0.15" 2025-04-15; before Java 9 it was "1.8.0_432".
  version=$(sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' <<< "$words" | head -n 1)
  [ "${version:-$oldest}" -ge $oldest ] ||
    die "the java $where is version $version, but Berth needs $oldest or newer. Set JAVA_HOME to a newer one."
}

# Exits if Berth cannot be built with this Java.
need_maven() {
  command -v mvn > /dev/null || die "mvn was not found on the PATH. Install Maven 3.8 or newer: Berth is built with it."
  local real
  real=$(readlink -f "$(command -v "$java")")
  [ -x "${real%/*}/javac" ] ||
    die "the Java in ${real%/bin/java} has no javac, but Berth is built with it. Install a JDK, or set JAVA_HOME to one."
}

# Waits until no other process builds in this folder, then locks the folder until unlock_build or the end of the process.
lock_build() {
  command -v flock > /dev/null || return 0
  mkdir -p "$here/target"
  exec 9> "$here/target/build.lock"
  flock -n 9 && return
  echo "$me: another build is running in this folder; waiting for it" >&2
  flock 9
}

unlock_build() { exec 9>&-; }
