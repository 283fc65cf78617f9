#!/usr/bin/env bash
# Runs what README.md tells its reader to type: every fenced block marked `sh`, in order, in a fresh clone.
#
#   scripts/readme.sh [REPOSITORY]    this repository unless another is named; it reads what is committed
#
# Each block is one bash script (-euo pipefail) started in the clone's root folder with no input; files stay between
# blocks, variables and folders do not. It must exit with 0 within ten minutes. HTML comments right before a block,
# one a line, change that:
#
#   <!-- run: server -->          start it in the background and go on when http://127.0.0.1:8080/healthz answers;
#   <!-- run: server URL -->      the same with another URL. It must still run when the next server block, or the end
#                                 of the page, stops it.
#   <!-- run: expect PATTERN -->  its output (both streams) must match this extended regular expression, on one line;
#                                 may be repeated.
#   <!-- run: no (REASON) -->     do not run it. Only for what a CI machine cannot do: Docker, AWS, the clone itself,
#                                 the gate that this script is part of.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need curl curl

repository=$(cd "${1-$root}" && pwd)
tmp=$(mktemp -d)
server='' server_url='' server_block=''

# A server leads a process group, so that what it starts ends with it.
stop_server() {
    local pid=$server
    if [[ -z $pid ]]; then
        return
    fi
    server=''
    gone "$pid" && fail "$server_block" 'the server stopped by itself'
    kill -TERM -- "-$pid"
    until_true 10 silent "$server_url" || kill -KILL -- "-$pid"
}

gone() {
    ! kill -0 "$1" 2>/dev/null
}

clean_up() {
    if [[ -n $server ]]; then
        kill -KILL -- "-$server" 2>/dev/null || true
    fi
    chmod -R u+w "$tmp" # a module cache is read-only
    rm -rf "$tmp"
}
trap clean_up EXIT

fail() {
    sed 's/^/    | /' "$1.out" >&2 || true
    die "README.md, the block of line $(<"$1.line"): $2"
}

# A refusal is an answer too: an engine refuses what has no signature. An error of the server is none.
answers() {
    local status
    status=$(curl --silent --max-time 5 --output /dev/null --write-out '%{http_code}' "$1") && ((status < 500))
}

silent() {
    ! answers "$1"
}

answers_or_died() {
    gone "$1" || answers "$2"
}

git clone --quiet "$repository" "$tmp/clone"
mkdir "$tmp/blocks"
cd "$tmp/clone"

# Splits the page into NNN.sh, its first line's number in NNN.line, and its comments in NNN.run.
awk -v folder="$tmp/blocks" '
    function fault(why) {
        printf "README.md:%d: %s\n", NR, why > "/dev/stderr"
        bad = 1
        exit 1
    }
    inside && /^```[ \t]*$/    { inside = 0; close(block); next }
    inside                     { if (block) print > block; next }
    /^<!-- run: .* -->[ \t]*$/ {
        sub(/^<!-- run: /, "")
        sub(/ -->[ \t]*$/, "")
        directives = directives $0 "\n"
        next
    }
    /^<!-- *run/               { fault("a comment that is not <!-- run: ... -->") }
    /^```sh[ \t]*$/ {
        base = sprintf("%s/%03d", folder, ++count)
        block = base ".sh"
        printf "" > block
        printf "%d\n", NR > (base ".line")
        printf "%s", directives > (base ".run")
        directives = ""
        inside = 1
        next
    }
    /^```(bash|shell|console)/ { fault("mark the block sh, so that it runs") }
    /^[ \t]+```/               { fault("an indented block, which would not run") }
    /^```/                     { inside = 1; block = "" }
    /[^ \t]/ && directives     { fault("a run comment with no sh block after it") }
    END {
        if (bad) exit 1
        if (inside) fault("a block that does not end")
        if (directives) fault("a run comment with no sh block after it")
        if (!count) fault("no sh block to run")
    }
' README.md

ran=0 not_run=0
for script in "$tmp"/blocks/*.sh; do
    block=${script%.sh}
    mode=run url='' expected=()
    while read -r word rest; do
        case $word in
        server) mode=server url=${rest:-http://127.0.0.1:8080/healthz} ;;
        expect) expected+=("$rest") ;;
        no)
            [[ $rest == \(?*\) ]] || die "README.md, the block of line $(<"$block.line"): run: no needs a (reason)"
            mode=no reason=$rest
            ;;
        *) die "README.md, the block of line $(<"$block.line"): unknown comment run: $word" ;;
        esac
    done <"$block.run"

    printf 'README.md, line %d: ' "$(<"$block.line")"
    : >"$block.out"
    case $mode in
    no)
        printf 'not run %s\n' "$reason"
        not_run=$((not_run + 1))
        continue
        ;;
    run)
        timeout 600 bash -euo pipefail "$script" </dev/null >"$block.out" 2>&1 || fail "$block" "exit code $?"
        ;;
    server)
        stop_server
        answers "$url" && fail "$block" "something else answers at $url"
        setsid bash -euo pipefail "$script" </dev/null >"$block.out" 2>&1 &
        server=$! server_url=$url server_block=$block
        disown # its end is no news
        until_true 600 answers_or_died "$server" "$url" || fail "$block" "no answer at $url"
        gone "$server" && fail "$block" 'the server stopped by itself'
        ;;
    esac
    for pattern in "${expected[@]}"; do
        grep --quiet --extended-regexp -e "$pattern" "$block.out" || fail "$block" "the output does not match: $pattern"
    done
    ran=$((ran + 1))
    printf 'ok\n'
done
stop_server

printf 'README.md: %d blocks ran, %d did not\n' "$ran" "$not_run"
