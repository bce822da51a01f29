#!/bin/sh
# The program of a tarball for another architecture is started, measures a command, executes a script and measures a case in
# its LuaJIT, all below qemu's emulation. `sh packaging/emulated.sh TARBALL`; needs qemu-user-static, and the C library of
# that architecture (libc6-dev-arm64-cross brings it).
#
# What emulated programs execute has to be emulated, too, since etalon starts itself for Lua: the kernel is told so in a user
# namespace, which ends with this script. Times that are measured here mean nothing.
set -eu
fail() { echo "packaging/emulated.sh: $*" >&2; exit 1; }

if [ "${1:-}" != --inside ]; then
    [ -f "${1:-}" ] || fail "no tarball: make dist ARCH=aarch64, and target/dist/packages/*.tar.gz"
    exec unshare --user --map-root-user --mount sh "$0" --inside "$1"
fi
tarball=$2
case $tarball in
    *-aarch64-linux-gnu.tar.gz) machine=aarch64 magic='\x02\x00\xb7\x00' ;;
    *) fail "no emulation is known for $tarball" ;;
esac
qemu=$(command -v "qemu-$machine-static") || fail "qemu-user-static is not installed"
export QEMU_LD_PREFIX="/usr/$machine-linux-gnu"
[ -d "$QEMU_LD_PREFIX/lib" ] || fail "$QEMU_LD_PREFIX/lib is not there: libc6-dev-arm64-cross is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || fail "binfmt_misc cannot be mounted: that needs Linux 6.7"
# An ELF file of 64 bits, little-endian, a program or a shared object, of that machine. P keeps the name by which it was
# started, because etalon tells its helpers apart by it; F opens qemu once, at registration.
printf ':etalon-%s:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00%s:%s%s:%s:PF' "$machine" "$magic" \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff' '\xfe\xff\xff\xff' "$qemu" >/proc/sys/fs/binfmt_misc/register

tar -xzf "$tarball" -C "$work"
export ETALON_HOME="$work/home"
etalon=$(echo "$work"/etalon-*/bin/etalon)
works() { "$etalon" "$@" >"$work/out" 2>&1 || fail "etalon $*: $(cat "$work/out")"; }
readelf -h "$etalon" | grep -q 'Machine: *AArch64' || fail "$etalon is not for $machine"
works --version
cat "$work/out"
works cmd -r 3 true
works report @last --full
echo 'print(jit.arch, 6 * 7)' >"$work/script.lua"
works lua "$work/script.lua"
grep -q '^arm64.*42$' "$work/out" || fail "the script printed: $(cat "$work/out")"
works run -r 2 -w 1ms "$(dirname "$0")/../examples/string_bench.lua"
cat "$work/out"
works compare "$(dirname "$0")/../docs/samples/old.txt" "$(dirname "$0")/../docs/samples/new.txt"
echo "ok"
