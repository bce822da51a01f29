#!/bin/sh
# `make install` into an empty directory, what is there by then, and `make uninstall`. `sh tests/install.sh`.
#
# Would catch a file that is not installed or not removed, a man page that groff complains about, and a completion
# that bash cannot load or that offers nothing. The profile is that of the tests, so that nothing is built twice.
set -eu
cd "$(dirname "$0")/.."
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
fail() { echo "make install: $*" >&2; exit 1; }

MAKEFLAGS='' make --silent install PROFILE=dev DESTDIR="$to" PREFIX=/usr

share=$to/usr/share
for file in "$to/usr/bin/etalon" "$share/man/man1/etalon.1" "$share/man/man1/etalon-cmd.1" \
    "$share/man/man1/etalon-runs-prune.1" "$share/bash-completion/completions/etalon" \
    "$share/zsh/site-functions/_etalon" "$share/fish/vendor_completions.d/etalon.fish" \
    "$share/powershell/completions/etalon.ps1" "$share/doc/etalon/LICENSE-MIT" \
    "$share/doc/etalon/LICENSE-APACHE" "$share/doc/etalon/NOTICE" "$share/doc/etalon/first.md"; do
    [ -s "$file" ] || fail "no ${file#"$to"}"
done
"$to/usr/bin/etalon" --version >/dev/null || fail "the program does not start"

if command -v groff >/dev/null 2>&1; then
    for page in "$share"/man/man1/*.1; do
        said=$(groff -Kutf8 -man -Tutf8 -ww -z "$page" 2>&1) || true
        [ -z "$said" ] || fail "${page##*/}: $said"
    done
    shown=$(groff -Kutf8 -man -Tutf8 -P-c "$share/man/man1/etalon-cmd.1")
    case $shown in *--precision*) ;; *) fail "etalon-cmd.1 does not mention --precision" ;; esac
else
    echo "man pages were not checked: groff is not installed" >>"${ETALON_TEST_SKIPS:-/dev/null}"
fi

# What bash offers behind these words, the last of which is being typed.
offered() {
    bash --norc -c '
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        _etalon etalon "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$share/bash-completion/completions/etalon" "$@"
}
[ "$(offered etalon cm)" = cmd ] || fail "bash completes 'etalon cm' to: $(offered etalon cm)"
[ "$(offered etalon cmd --prec)" = --precision ] || fail "bash completes 'cmd --prec' to: $(offered etalon cmd --prec)"
offered etalon run --order "" | grep -q '^abba$' || fail "bash offers no values of --order"

MAKEFLAGS='' make --silent uninstall DESTDIR="$to" PREFIX=/usr
left=$(find "$to" -type f)
[ -z "$left" ] || fail "uninstall leaves $left"
echo "ok"
