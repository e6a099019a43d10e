# Shared code of set-up and build-and-test, which source this file.
#
# The cache contains root (Debian's amd64 compiler, linker, and qemu), sysroot (the arm64 libraries), sdks (the Swift SDK that combines both), copies
# (checkouts, built), and the file ready with a line each for the compiler's version, its directory in root, and qemu's version.
cache=${SWIFTLET_ARM64_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/swiftlet-arm64}
triple=aarch64-unknown-linux-gnu
name=$(basename "$0")

say() { echo "$name: $*"; }
fail() { echo "$name: $*" >&2; exit 1; }
# Prints the comment at the beginning of a script.
usage() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0" >&2; exit 2; }
ready() { sed -n "s/^$1 //p" "$cache/ready"; }

# in_root SWIFT_HOME COMMAND…: runs a command in the compiler's root, which has access to the cache, /tmp, /dev, and /proc of this machine.
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

# emulate CPU SWIFT_HOME PROGRAM…: runs an arm64 program on the CPU that qemu emulates.
emulate() {
  local cpu=$1 home=$2
  shift 2
  "$cache/root/usr/bin/qemu-aarch64" -cpu "$cpu" -L "$cache/sysroot" -E LD_LIBRARY_PATH="$home/lib/swift/linux" "$@"
}
