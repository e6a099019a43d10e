# Sourced by the scripts next to it: a Debian with only the documented packages and a Swift toolchain, without a network, that contains the package as committed.
#
#   --toolchain DIR   the directory that contains usr/bin/swift; it is only read
#   --system DIR      the directory of the Debian, created there if needed; default: a temporary directory that is removed
#
# Needs root, debootstrap, git, unshare and ip.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
toolchain=
system=
while [ $# -gt 0 ]; do
  case "$1" in
    --toolchain) toolchain=$(cd "$2" && pwd); shift 2 ;;
    --system) system=$2; shift 2 ;;
    *) echo "error: unknown option $1" >&2; exit 2 ;;
  esac
done
[ -x "$toolchain/usr/bin/swift" ] || { echo "error: --toolchain must name a folder with usr/bin/swift" >&2; exit 2; }

work=$(mktemp -d)
cleanup() {
  mountpoint -q "$work/root" && umount -R "$work/root"
  mountpoint -q "$work/upper" && umount "$work/upper"
  rm -rf "$work"
}
trap cleanup EXIT
system=${system:-$work/system}

# The packages that a toolchain for Debian 12 requires, followed by those that the README requires.
packages=binutils,ca-certificates,gcc,git,libc6-dev,libcurl4,libedit2,libncurses6,libpython3.11,libsqlite3-0,libstdc++-12-dev,libxml2,pkg-config,tzdata,zlib1g-dev
documented=libpng-dev,libjpeg-dev
if [ ! -e "$system/etc/debian_version" ]; then
  debootstrap --variant=minbase "--include=$packages,$documented" bookworm "$system" http://deb.debian.org/debian >&2
fi

# The Debian doesn't change: changes are written to a layer above it.
mkdir -p "$work/upper" "$work/root"
mount -t tmpfs none "$work/upper"
mkdir -p "$work/upper/changes" "$work/upper/work"
mount -t overlay overlay -o "lowerdir=$system,upperdir=$work/upper/changes,workdir=$work/upper/work" "$work/root"
home=$work/root/home/new
mkdir -p "$work/root/opt/swift" "$home/swiftlet"
mount --bind -o ro "$toolchain" "$work/root/opt/swift"
mount -t proc proc "$work/root/proc"
mount --bind /dev "$work/root/dev"
mount -t devpts devpts "$work/root/dev/pts"
git -C "$root" archive HEAD | tar -C "$home/swiftlet" -xf -

# run FOLDER COMMAND: runs a command in a directory of the home, in a network of its own that only contains the machine itself.
run() {
  unshare --net bash -c 'ip link set lo up; exec chroot "$0" /usr/bin/env -i HOME=/home/new PATH=/opt/swift/usr/bin:/usr/bin:/bin bash -c "cd ~/$1 && $2"' \
    "$work/root" "$1" "$2"
}

# The beginning of the transcripts, after "Made by".
machine() {
  echo "on Debian $(cat "$work/root/etc/debian_version") with $(nproc) processors, $(run . 'swift --version 2>/dev/null' | head -n 1),"
  echo "the packages \`${documented//,/ }\` and no network, from a source archive of version $(git -C "$root" show HEAD:Package.swift | sed -n 's,^// Version ,,p'),"
  echo "commit $(git -C "$root" rev-parse --short HEAD), on $(date +%Y-%m-%d)."
}

# step FOLDER COMMAND LINES [LIMIT]: runs a command and prints it with the last lines of its output and the time that it took. Fails if the command fails, or
# if it takes more seconds than the limit.
step() {
  local status=0 begin
  begin=$(date +%s)
  run "$1" "$2" > "$work/log" 2>&1 || status=$?
  seconds=$(($(date +%s) - begin))
  echo
  echo '```'
  echo "\$ $2"
  # Progress output isn't useful in a transcript.
  grep -vE '^(\[[0-9]+/[0-9]+\]|◇|.\[90m◇)' "$work/log" | sed -E 's/\x1b\[[0-9;]*m//g' | tail -n "$3"
  echo '```'
  echo "$((seconds / 60)) min $((seconds % 60)) s."
  [ "$status" = 0 ] || { cp "$work/log" "${TMPDIR:-/tmp}/fresh-machine.log"; echo "error: it failed with status $status; see ${TMPDIR:-/tmp}/fresh-machine.log" >&2; exit 1; }
  [ -z "${4:-}" ] || [ "$seconds" -le "$4" ] || { echo "error: it took more than $4 seconds" >&2; exit 1; }
}

# blocks SECTION: writes the code blocks of a section of the README to numbered files in the directory "$work/blocks".
blocks() {
  mkdir -p "$work/blocks"
  git -C "$root" show HEAD:README.md | awk -v section="## $1" -v folder="$work/blocks" '
    /^## / { inside = $0 == section }
    inside && /^```/ { open = !open; number += open; next }
    inside && open { print > (folder "/" number) }'
}
