# What set-up and build-and-test share; both source it.
#
# The cache holds root (Debian's amd64 compiler, linker and qemu), sysroot (the arm64 libraries), sdks (the Swift SDK that ties both together), copies
# (checkouts, built) and the file ready, a line each for the compiler's version, its folder in root and qemu's version.
cache=${SWIFTLET_ARM64_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/swiftlet-arm64}
triple=aarch64-unknown-linux-gnu
name=$(basename "$0")

say() { echo "$name: $*"; }
fail() { echo "$name: $*" >&2; exit 1; }
# The comment that a script begins with.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0" >&2; exit 2; }
ready() { sed -n "s/^$1 //p" "$cache/ready"; }

# in_root SWIFT_HOME COMMAND…: runs a command in the compiler's root, which sees of this machine the cache, /tmp, /dev and /proc.
in_root() {
  unshare --mount bash -c '
    set -euo pipefail
    root=$1/root cache=$1 path=$2/bin:/usr/bin:/bin
    shift 2
    mount --make-rprivate /
    for folder in /dev /proc /tmp "$cache"; do
      mkdir -p "$root$folder"
      mount --rbind "$folder" "$root$folder"
    done
    exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH="$path" "$@"' in_root "$cache" "$@"
}

# emulate CPU SWIFT_HOME PROGRAM…: runs a program for arm64 on the processor that qemu plays.
emulate() {
  local cpu=$1 home=$2
  shift 2
  "$cache/root/usr/bin/qemu-aarch64" -cpu "$cpu" -L "$cache/sysroot" -E LD_LIBRARY_PATH="$home/lib/swift/linux" "$@"
}
