# shellcheck shell=bash
# Finds a Java of at least the given version. Read by the `sbt` wrapper, and part of the start script of the package.

# The feature version of the Java in a folder (21, 25, ...), or 0 if there is none.
java_version_of() {
  local home=$1 line version=0
  [[ -x "$home/bin/java" ]] || { echo 0; return; }
  if [[ -r "$home/release" ]]; then
    while IFS= read -r line || [[ -n "$line" ]]; do
      if [[ "$line" == JAVA_VERSION=* ]]; then
        version=${line#JAVA_VERSION=}
      fi
    done <"$home/release"
  else
    version=$("$home/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
  fi
  version=${version//\"/}
  version=${version#1.}
  version=${version%%[!0-9]*}
  echo "${version:-0}"
}

# The home of a command such as java or javac, with links followed.
java_home_of() {
  local file=$1 link
  while [[ -L "$file" ]]; do
    link=$(readlink "$file")
    case $link in
      /*) file=$link ;;
      *) file=$(dirname "$file")/$link ;;
    esac
  done
  (cd "$(dirname "$file")/.." 2>/dev/null && pwd -P) || true
}

# Prints "<version> <home>" of the Java to use, or nothing. JAVA_HOME wins if it is new enough; otherwise the newest one of
# PATH and the folders in which systems and tools keep theirs.
find_java() {
  local least=$1 program=$2 home version best=0 best_home=
  if [[ -n "${JAVA_HOME:-}" && -x "$JAVA_HOME/bin/$program" ]]; then
    version=$(java_version_of "$JAVA_HOME")
    if ((version >= least)); then
      echo "$version $JAVA_HOME"
      return
    fi
  fi
  local homes=()
  home=$(command -v "$program" 2>/dev/null || true)
  [[ -n "$home" ]] && homes+=("$(java_home_of "$home")")
  homes+=(
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*/jdk*
    /Library/Java/JavaVirtualMachines/*/Contents/Home
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
    "${SDKMAN_DIR:-${HOME:-/nowhere}/.sdkman}"/candidates/java/*
    "${HOME:-/nowhere}"/.jdks/* "${HOME:-/nowhere}"/.jdks/*/Contents/Home
    "${HOME:-/nowhere}"/.asdf/installs/java/* "${HOME:-/nowhere}"/.local/share/mise/installs/java/*
    "${HOME:-/nowhere}"/.gradle/jdks/* "${HOME:-/nowhere}"/.gradle/jdks/*/Contents/Home
    "${HOME:-/nowhere}"/Library/Java/JavaVirtualMachines/*/Contents/Home
    "${HOME:-/nowhere}"/.cache/coursier/jvm/* "${HOME:-/nowhere}"/.cache/coursier/arc/*/*/*/*/*/*/*
  )
  for home in "${homes[@]}"; do
    [[ -x "$home/bin/$program" ]] || continue
    version=$(java_version_of "$home")
    if ((version >= least && version > best)); then
      best=$version
      best_home=$home
    fi
  done
  if ((best > 0)); then
    echo "$best $best_home"
  fi
}

# Flags with which a Java of this version says nothing about native libraries and sun.misc.Unsafe.
quiet_java_flags() {
  local version=$1
  echo --enable-native-access=ALL-UNNAMED
  if ((version >= 23)); then
    echo --sun-misc-unsafe-memory-access=allow
  fi
}
