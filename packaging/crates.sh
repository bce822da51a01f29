#!/bin/sh
# The program from what `cargo package` packs, without the repository: `make crates`.
#
# Would catch a file outside of its crate that the crate needs. Builds in the repository's own target directory, where
# dependencies are built already. Needs cargo, tar, sed; leaves the program where it says.
set -eu

cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
built=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$built/package"
"$cargo" package --workspace --locked --allow-dirty --no-verify --quiet
cp Cargo.lock "$work"
printf '[workspace]\nresolver = "3"\nmembers = ["*"]\n\n' >"$work/Cargo.toml"
# With the workspace's profiles, so that what is built already has the same.
sed -n '/^\[profile/,/^$/p' Cargo.toml >>"$work/Cargo.toml"
printf '\n[patch.crates-io]\n' >>"$work/Cargo.toml"
for crate in "$built"/package/*.crate; do
    tar -xzf "$crate" -C "$work"
    directory=$(basename "$crate" .crate)
    echo "${directory%-[0-9]*} = { path = \"$directory\" }" >>"$work/Cargo.toml"
done
(cd "$work" && CARGO_TARGET_DIR=$built "$cargo" build --offline --quiet -p etalon)
ETALON_HOME=$work/home "$built/debug/etalon" cmd -r 3 true
cp "$built/debug/etalon" "$built/packed-etalon"
echo "built from the packed crates: $built/packed-etalon"
