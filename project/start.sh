#!/usr/bin/env bash
# Starts Handoff: finds a Java, and passes all arguments on.
# JAVA_HOME chooses the Java; JAVA_OPTS and HANDOFF_OPTS are flags for it, for example -Xmx2g.
set -euo pipefail

${{find_java}}

self=$0
while [[ -L "$self" ]]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
lib=$(cd "$(dirname "$self")/../lib" && pwd -P)

read -r java_version java_home <<<"$(find_java ${{least_java}} java)" || true
if [[ -z "${java_home:-}" ]]; then
  echo "handoff: no Java ${{least_java}} or newer was found." >&2
  echo "handoff: looked at JAVA_HOME (${JAVA_HOME:-not set}), PATH and the usual folders." >&2
  echo "handoff: install one, or set JAVA_HOME to it, and run this again." >&2
  exit 1
fi

flags=()
while IFS= read -r flag; do
  flags+=("$flag")
done < <(quiet_java_flags "$java_version")

# shellcheck disable=SC2086 # options of the caller are words
exec "$java_home/bin/java" "${flags[@]}" ${{log_flag}} ${JAVA_OPTS:-} ${HANDOFF_OPTS:-} \
  -cp "${{class_path}}" ${{main_class}} "$@"
