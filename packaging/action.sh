#!/bin/sh
# What action.yml does: installs etalon from a tarball of `make dist` whose checksum is known, and measures with `etalon ab`,
# `etalon go --base` or `etalon run --base`.
# `sh packaging/action.sh install`, then `sh packaging/action.sh measure`, or `comment` in the workflow that may write; all
# inputs are in the environment, so that no text of a workflow becomes a part of a script.
set -eu
fail() { echo "etalon's action: $*" >&2; exit 2; }

install() {
    [ -n "${TARBALL:-}" ] || fail "the input 'tarball' is empty: the address or the path of a tarball of 'make dist'"
    printf '%s' "${SHA256:-}" | grep -Eq '^[0-9a-f]{64}$' || fail "the input 'sha256' is not a checksum: the line of SHA256SUMS has it"
    there=${RUNNER_TEMP:?}/etalon
    mkdir -p "$there"
    case $TARBALL in
        https://*) curl --proto =https -fsSL --retry 3 -o "$there/etalon.tar.gz" "$TARBALL" || fail "$TARBALL cannot be had" ;;
        *://*) fail "$TARBALL: only https is taken" ;;
        *) cp -- "$TARBALL" "$there/etalon.tar.gz" ;;
    esac
    # Nothing is unpacked before it is known to be what was asked for.
    echo "$SHA256  $there/etalon.tar.gz" | sha256sum --quiet -c - || fail "$TARBALL is not the file with the checksum $SHA256"
    tar -xzf "$there/etalon.tar.gz" -C "$there" --strip-components=1
    "$there/bin/etalon" --version
    echo "$there/bin" >>"${GITHUB_PATH:?}"
}

measure() {
    [ -n "${BASE:-}" ] || fail "the input 'base' is empty: the revision to compare with"
    made=$(mktemp -d "${RUNNER_TEMP:?}/etalon-run.XXXXXX")
    set --
    case ${SUBCOMMAND:=ab} in
        ab)
            [ -n "${COMMAND:-}" ] || fail "the input 'command' is empty"
            [ -z "${ARGUMENTS:-}${TIMEOUT:-}" ] || fail "the inputs 'arguments' and 'timeout' are of go and run; ab has 'command'"
            printf '%s\n' "$COMMAND" >"$made/commands"
            set -- ab "$BASE" -f "$made/commands" -r "${BLOCKS:-60}" ;;
        go | run)
            [ -z "${COMMAND:-}" ] || fail "the input 'command' is of ab; $SUBCOMMAND has 'arguments'"
            set -- "$SUBCOMMAND" --base "$BASE" ${BLOCKS:+-r "$BLOCKS"} ${TIMEOUT:+--timeout "$TIMEOUT"} ;;
        *) fail "the input 'subcommand' is '$SUBCOMMAND': it is ab, go or run" ;;
    esac
    [ "$SUBCOMMAND" != go ] || [ -z "${BUILD:-}${BUDGET:-}" ] || fail "go has no 'build' and no 'budget': 'blocks' says how much"
    [ "$SUBCOMMAND" != run ] || [ -n "${ARGUMENTS:-}" ] || fail "the input 'arguments' is empty: the suites or the experiment file"
    set -- "$@" ${BUILD:+--build "$BUILD"} ${BUDGET:+--total-budget "$BUDGET"} ${CHECKS:+--checks "$CHECKS"}
    # Without a check, there is nothing that could be new to it.
    [ -z "${FAIL_ON:-}${CHECKS:-}${REQUIRE:-}" ] || set -- "$@" --new "${NEW:-ok}"
    set -- "$@" --format markdown -o "$made/record.jsonl"
    while IFS= read -r line; do [ -z "$line" ] || set -- "$@" --fail-on "$line"; done <<END
${FAIL_ON:-}
END
    while IFS= read -r line; do [ -z "$line" ] || set -- "$@" --require "$line"; done <<END
${REQUIRE:-}
END
    while IFS= read -r line; do [ -z "$line" ] || set -- "$@" "$line"; done <<END
${ARGUMENTS:-}
END
    code=0
    etalon "$@" >"$made/report.md" || code=$?
    cat "$made/report.md" >>"${GITHUB_STEP_SUMMARY:?}"
    printf 'report=%s\nrecord=%s\n' "$made/report.md" "$made/record.jsonl" >>"${GITHUB_OUTPUT:?}"
    # 1: something is worse. 3: it could not be told.
    exit "$code"
}

# A comment below the pull request, made from the record by this etalon. The record may be anything, because code of the
# pull request could write it: none of its sentences is posted, and nothing in it calls anybody. Which pull request it is,
# the event says. Whatever goes wrong on the way is a warning, never the end of a job.
comment() {
    [ -n "${TITLE:-}" ] || fail "the input 'title' is empty: it tells this comment from others"
    [ -n "${RECORD:-}" ] || fail "the input 'record' is empty: the path of the record"
    : "${GH_TOKEN:?}" "${GITHUB_REPOSITORY:?}"
    here=$(mktemp -d "${RUNNER_TEMP:?}/etalon-comment.XXXXXX")
    (umask 077 && printf 'Authorization: Bearer %s\n' "$GH_TOKEN" >"$here/token")
    posted || echo "::warning title=etalon::the comment was not posted; the job's log says why"
    rm -f "$here/token"
}

# Writes the comment, or replaces the one of this title; one without a result only replaces another.
posted() {
    marker="<!-- etalon $(printf %s "$TITLE" | sha256sum | cut -c 1-16) -->"
    is_new=yes
    rendered || {
        is_new=
        printf '%s\n### %s: no result\n\nNothing was measured for the last commits, or its record cannot be read.\n' \
            "$marker" "$TITLE" >"$here/comment.md"
    }
    [ "$(head -n 1 "$here/comment.md")" = "$marker" ] || { echo "the first line is not the marker" >&2; return 1; }
    number=${PULL:-}
    [ -n "$number" ] || number=$(pull) || return 1
    [ -n "$number" ] || { echo "no open pull request has ${HEAD_SHA:-the commit} as its head"; return 0; }
    known=$(known "$number") || return 1
    jq -Rs '{body: .}' <"$here/comment.md" >"$here/body.json" || return 1
    if [ -n "$known" ]; then
        api "issues/comments/$known" -X PATCH --data-binary @"$here/body.json" >/dev/null
    elif [ -n "$is_new" ]; then
        api "issues/$number/comments" -X POST --data-binary @"$here/body.json" >/dev/null
    fi
}

# Only a file is read, and none that would fill the runner.
rendered() {
    [ -f "$RECORD" ] && [ ! -L "$RECORD" ] || { echo "there is no record at $RECORD" >&2; return 1; }
    [ "$(wc -c <"$RECORD")" -le 200000000 ] || { echo "the record is larger than 200 MB" >&2; return 1; }
    etalon report "$RECORD" --from etalon --format comment --title "$TITLE" --repeat "${REPEAT:-}" --quiet >"$here/comment.md"
}

# The pull request whose head is the commit of the event: HEAD is owner:branch.
pull() {
    api pulls -G -d state=open -d per_page=100 --data-urlencode "head=${HEAD:?}" >"$here/pulls.json" || return 1
    jq -r --arg sha "${HEAD_SHA:?}" '[.[] | select(.head.sha == $sha) | .number][0] // empty' <"$here/pulls.json"
}

# The comment that is this one's: by that very bot, with the marker as its whole first line.
known() {
    page=1
    while [ "$page" -le 100 ]; do
        api "issues/$1/comments?per_page=100&page=$page" >"$here/page.json" || return 1
        jq -r --arg bot "${BOT:-github-actions[bot]}" --arg marker "$marker" '[.[]
            | select(.user.login == $bot and .user.type == "Bot")
            | select(((.body // "") | split("\n")[0] | rtrimstr("\r")) == $marker)
            | .id][0] // empty' <"$here/page.json" >"$here/known" || return 1
        [ ! -s "$here/known" ] || { cat "$here/known"; return; }
        [ "$(jq length <"$here/page.json")" = 100 ] || return 0
        page=$((page + 1))
    done
}

# The path below the repository, then curl's options. The token is in a file, so that no list of processes shows it.
api() {
    path=$1
    shift
    curl -fsS --max-time 60 -H @"$here/token" -H 'Accept: application/vnd.github+json' -H 'Expect:' "$@" \
        "${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/$path"
}

case ${1:-} in
    install | measure | comment) "$1" ;;
    *) fail "install, measure or comment" ;;
esac
