# Steps of .ci/run and .ci/stage, which source this file: each step has one line of output with its seconds, and a log of its own.
#
# A line of a log that begins with "note: " is printed under the step's line. If a step fails, its log is printed and the script ends.
# A step that cannot do its work on this machine ends with status 77, after a note that says why.
# `set -m` gives each step a process group, so that the steps that still run can be ended as a whole.
set -m
logs=$PWD/.build/ci
mkdir -p "$logs"
declare -A processes=()

# start NAME COMMAND…: starts a step in the background.
start() {
  local name=$1
  shift
  (
    set -euo pipefail
    began=$SECONDS
    trap 'echo $((SECONDS - began)) > "$logs/$name.seconds"' EXIT
    "$@"
  ) > "$logs/$name.log" 2>&1 < /dev/null &
  processes[$name]=$!
}

# finish NAME: waits for a step and prints its line.
finish() {
  local name=$1 status=0
  wait "${processes[$name]}" || status=$?
  unset "processes[$name]"
  if [ $status = 0 ] || [ $status = 77 ]; then
    printf '%s %5d s  %s\n' "$([ $status = 0 ] && echo 'passed ' || echo 'NOT RUN')" "$(cat "$logs/$name.seconds")" "$name"
    { grep -a '^note: ' "$logs/$name.log" || true; } | cut -c1-200 | head -n 20 | sed 's/^/                 /'
    return $status
  fi
  printf 'FAILED  %5d s  %s, status %d; log: %s\n' "$(cat "$logs/$name.seconds")" "$name" $status "$logs/$name.log"
  print_log "$logs/$name.log"
  exit 1
}

# step NAME COMMAND…: runs a step.
step() { start "$@"; finish "$1"; }

# print_log FILE: without the progress of builds; of tests only the failures, with what follows each; of a long log the first and the last lines.
print_log() {
  local text
  if grep -aqE '^◇ Test run started' "$1"; then
    text=$(awk '/^(✘|error:|Fatal error)|recorded an issue|unexpected signal/ { left = 12 } /^(◇|✔|➜)/ { left = 0 } left-- > 0' "$1" | cut -c1-600)
  else
    text=$(grep -avE '^\[[0-9]+/[0-9]+\]' "$1" | cut -c1-600)
  fi
  if [ "$(wc -l <<< "$text")" -le 400 ]; then
    echo "$text"
  else
    head -n 250 <<< "$text"
    echo "…"
    tail -n 150 <<< "$text"
  fi
}

end_steps() {
  local process
  for process in "${processes[@]}"; do kill -- "-$process" 2> /dev/null || true; done
}
trap end_steps EXIT

# has PROGRAM: whether this program is installed.
has() { command -v "$1" > /dev/null; }

# install WHY PACKAGE…: installs Debian packages if they can be had here; otherwise notes what is not checked for lack of them.
install() {
  local why=$1 as_root=
  shift
  if ! has apt-get; then
    echo "note: $why (no apt-get to install $* with)"
    return
  fi
  [ "$(id -u)" = 0 ] || as_root=sudo
  [ -n "${updated:-}" ] || $as_root apt-get update -q
  updated=yes
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@" || echo "note: $why (cannot install $*)"
}
