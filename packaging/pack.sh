#!/bin/sh
# STAGE (what `make install DESTDIR=STAGE PREFIX=/usr` left) becomes a tarball, a Debian package and SHA256SUMS in OUT.
# `sh packaging/pack.sh STAGE OUT`.
#
# The same stage gives the same bytes: names are sorted, owner, modes and times are fixed (SOURCE_DATE_EPOCH, otherwise the
# time of the commit). The version is that of the workspace; the machine is what the program was built for.
set -eu
umask 022
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
stage=$1
out=$2
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
fail() { echo "packaging: $*" >&2; exit 1; }

program=$stage/usr/bin/etalon
[ -x "$program" ] || fail "$program is not there: make install DESTDIR=$stage PREFIX=/usr"
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$here/../Cargo.toml")
machine=$(readelf -h "$program" | sed -n 's/^ *Machine: *//p')
case $machine in
    *X86-64) machine=x86_64; debian=amd64 ;;
    AArch64) machine=aarch64; debian=arm64 ;;
    *) fail "no name is known for the architecture $machine of $program" ;;
esac
# The newest symbol version of the C library that the program asks for: below it, the program does not start.
glibc=$(readelf -W --dyn-syms "$program" | sed -n 's/.*@GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
[ -n "$glibc" ] || fail "$program asks for no version of glibc"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=etalon-$version-$machine-linux-gnu
rm -rf "$out"
mkdir -p "$out" "$work/$name"

# The tarball: what would be below /usr, in one directory.
cp -R "$stage/usr/." "$work/$name/"
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
    -C "$work" -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"

# The package. Debian wants pages compressed, and copyright in a file of that name.
root=$work/root
mkdir -p "$root/DEBIAN"
cp -R "$stage/usr" "$root/usr"
gzip -n -9 "$root"/usr/share/man/man1/*.1
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
doc=$root/usr/share/doc/etalon
cat "$doc/NOTICE" "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE" >"$doc/copyright"
rm "$doc/NOTICE" "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"
cat >"$root/DEBIAN/control" <<END
Package: etalon
Version: $version
Architecture: $debian
Maintainer: The authors of etalon <etalon@localhost>
Section: devel
Priority: optional
Depends: libc6 (>= $glibc), libgcc-s1
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
Description: benchmark laboratory
 Times commands, Lua functions and Go benchmarks in randomised blocks, keeps every observation, and gives verdicts.
END
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/etalon_${version}_$debian.deb" >/dev/null

(cd "$out" && sha256sum -- *.deb *.tar.gz >SHA256SUMS)
