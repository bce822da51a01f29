#!/bin/sh
# `make dist` twice, in directories and with downloads of cargo at paths of different length: both have to leave the same
# bytes. `sh packaging/reproducible.sh`, two release builds of what is committed.
#
# What differs is named: section by section of the program, or the file of the stage.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
downloads=${CARGO_HOME:-$HOME/.cargo}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
unset CARGO_TARGET_DIR || true

for place in one another/place; do
    mkdir -p "$work/$place/project" "$work/$place/cargo"
    git archive HEAD | tar -x -C "$work/$place/project"
    # The same downloads, at another path.
    for part in registry git; do
        [ ! -e "$downloads/$part" ] || ln -s "$downloads/$part" "$work/$place/cargo/$part"
    done
    CARGO_HOME="$work/$place/cargo" MAKEFLAGS='' make --silent -C "$work/$place/project" dist ${ARCH:+ARCH="$ARCH"}
done

one=$work/one/project/target/dist
other=$work/another/place/project/target/dist
if diff -r "$one/packages" "$other/packages" >/dev/null; then
    echo "the same bytes twice:"
    cat "$one/packages/SHA256SUMS"
    exit 0
fi
diff -rq "$one/stage" "$other/stage" | sed "s#$work/##g" >&2 || true
for section in $(readelf -SW "$one/stage/usr/bin/etalon" | sed -n 's/^ *\[ *[0-9]*\] \(\.[^ ]*\).*/\1/p'); do
    for side in "$one" "$other"; do
        readelf -x "$section" "$side/stage/usr/bin/etalon" >"$work/$([ "$side" = "$one" ] && echo a || echo b)" 2>/dev/null || true
    done
    cmp -s "$work/a" "$work/b" || echo "$section of the program differs" >&2
done
exit 1
