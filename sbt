#!/usr/bin/env bash
# Runs sbt on this build: finds a JDK and a launcher, and passes all arguments on. Needs no sbt to be installed.
set -euo pipefail

least_java=21
launcher_version=1.12.14

self=${BASH_SOURCE[0]}
while [[ -L "$self" ]]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
here=$(cd "$(dirname "$self")" && pwd -P)
cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set: set it to a folder that can be written}/.cache}/handoff

fail() {
  printf 'sbt: %s\n' "$@" >&2
  exit 1
}

# What a start is busy with stands in a file, and is said every few seconds until the program begins. Nobody has to wait in
# front of a terminal that says nothing; sbt itself is told to be quiet when it runs a program.
step_file=
step() {
  [[ -z "$step_file" ]] || echo "$1" >"$step_file"
}
say_steps() {
  local last=$SECONDS
  while sleep 1 && [[ -e "$step_file" ]] && kill -0 $$ 2>/dev/null; do
    if ((SECONDS - last >= 6)); then
      echo "sbt: $(cat "$step_file" 2>/dev/null) ... ($SECONDS s)" >&2
      last=$SECONDS
    fi
  done
  rm -f "$step_file"
}

. "$here/project/find-java.sh"
read -r java_version java_home <<<"$(find_java "$least_java" javac)" || true
if [[ -z "${java_home:-}" ]]; then
  fail "no JDK $least_java or newer was found." \
    "Looked at JAVA_HOME (${JAVA_HOME:-not set}), PATH, /usr/lib/jvm and the folders of SDKMAN, Homebrew, asdf, mise and IDEs." \
    "Install one (for example your system's package of Temurin 25), or set JAVA_HOME to it, and run this again."
fi
export JAVA_HOME=$java_home

# An sbt of the system, unless that is this very script.
installed_sbt() {
  local candidate
  while IFS= read -r candidate; do
    if [[ ! "$candidate" -ef "$here/sbt" ]]; then
      echo "$candidate"
      return
    fi
  done < <(type -aP sbt 2>/dev/null)
}

coursier() {
  command -v cs 2>/dev/null || command -v coursier 2>/dev/null || true
}

# The launcher's file: from our cache, else through coursier, else through Maven.
launcher() {
  local jar=$cache/sbt-launch-$launcher_version.jar artifact=org.scala-sbt:sbt-launch:$launcher_version cs log found
  if [[ -s "$jar" ]]; then
    echo "$jar"
    return
  fi
  cs=$(coursier)
  if [[ -n "$cs" ]] && found=$("$cs" fetch --intransitive "$artifact" 2>/dev/null) && [[ -s "$found" ]]; then
    echo "$found"
    return
  fi
  if ! command -v mvn >/dev/null 2>&1; then
    fail "there is nothing to start sbt with: no sbt, no coursier (cs) and no Maven (mvn) on PATH." \
      "The build needs one of them to fetch the sbt launcher." \
      "Install one (for example the package maven or sbt of your system) and run this again."
  fi
  mkdir -p "$cache" || fail "the folder $cache cannot be made: set XDG_CACHE_HOME to one that can be written."
  log=$(mktemp -d "$cache/fetch.XXXXXX")
  echo "sbt: fetching the sbt launcher $launcher_version (once) ..." >&2
  if ! (cd "$log" && mvn -B -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$log" \
    -Dmdep.useBaseVersion=true </dev/null >"$log/out" 2>&1); then
    cat "$log/out" >&2
    rm -rf "$log"
    fail "Maven could not fetch $artifact; its words are above." \
      "Check that Maven reaches its repository (mvn's settings.xml, proxy), or install sbt, and run this again."
  fi
  mv -f "$log/sbt-launch-$launcher_version.jar" "$jar"
  rm -rf "$log"
  echo "$jar"
}

options=()
# Maven's central repository alone has all that the build needs; a `repositories` file of the user's goes before ours.
if [[ ! -f "${HOME:-}/.sbt/repositories" ]]; then
  options+=("-Dsbt.override.build.repos=true" "-Dsbt.repository.config=$here/project/repositories")
fi
# Without a terminal nobody can answer a question, and runs at the same time must not fight over the server's socket.
if [[ ! -t 0 ]]; then
  options+=("-Dsbt.ci=true" "-Dsbt.server.autostart=false" "-Dsbt.server.forcestart=true")
fi
if [[ ! -t 1 ]]; then
  options+=("-Dsbt.supershell=false" "-Dsbt.color=false")
fi

# What a program prints comes without sbt's own talk around it.
case ${1:-} in
  run | "run "*) program=cli ;;
  bench | "bench "*) program=bench ;;
  *) program= ;;
esac
if [[ -n "$program" ]]; then
  if ! compgen -G "$here/target/$program/classes/*" >/dev/null; then
    echo "sbt: fetching libraries and compiling: this takes a minute or more the first time ..." >&2
  fi
  if step_file=$(mktemp "${TMPDIR:-/tmp}/handoff-start.XXXXXX" 2>/dev/null); then
    if [[ -d "$here/project/target" ]]; then
      step "loading the build"
    else
      step "fetching sbt with its plugins, and compiling the build"
    fi
    # StartSteps of the build writes the later steps, and removes the file when the program begins.
    options+=("-Dhandoff.start.step=$step_file")
    # Not a child of sbt, which this shell becomes.
    (say_steps </dev/null >/dev/null &)
  fi
  options+=(--warn)
fi

flags=()
while IFS= read -r flag; do
  flags+=("$flag")
done < <(quiet_java_flags "$java_version")

cd "$here"
sbt=$(installed_sbt)
if [[ -n "$sbt" ]]; then
  exec "$sbt" "${flags[@]/#/-J}" ${options[@]+"${options[@]}"} "$@"
fi

while IFS= read -r line || [[ -n "$line" ]]; do
  line=${line%$'\r'}
  [[ -z "$line" || "$line" == \#* ]] || flags+=("$line")
done <"$here/.jvmopts"
jar=$(launcher)
# shellcheck disable=SC2086 # options of the caller are words
exec "$java_home/bin/java" "${flags[@]}" ${JAVA_OPTS:-} ${SBT_OPTS:-} -jar "$jar" ${options[@]+"${options[@]}"} "$@"
