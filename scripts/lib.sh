# shellcheck shell=bash
# What the scripts share. Source it; it only defines functions and these paths.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=$root/.tools
# Where running engines leave their pid, URL and log. The gate sets it to a folder of its own, so that
# it neither meets nor stops the engines that someone works with.
run_dir=${ENGINE_RUN_DIR:-$tools/run}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# need COMMAND PACKAGE: installs a missing command from Debian where that is possible, else says what to install.
need() {
    if command -v "$1" >/dev/null; then
        return
    fi
    if ! command -v apt-get >/dev/null || [[ $EUID != 0 ]]; then
        die "$1 is missing: install it (Debian package $2)"
    fi
    printf 'installing %s\n' "$2" >&2
    apt-get update -qq >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2" >&2
}

# npm_package NAME VERSION SHA512 FOLDER: unpacks a package of the npm registry into FOLDER, once. None of its
# dependencies are installed and none of its scripts run. The checksum is of the tarball.
npm_package() {
    local name=$1 version=$2 sum=$3 folder=$4 tmp
    if [[ -d $folder ]]; then
        return
    fi
    need npm npm
    printf 'installing %s %s\n' "$name" "$version" >&2
    mkdir -p "$tools"
    tmp=$(mktemp -d "$tools/unpack.XXXXXX")
    (cd "$tmp" && npm pack --silent "$name@$version" >/dev/null && mv -- *.tgz package.tgz)
    printf '%s  %s\n' "$sum" "$tmp/package.tgz" | sha512sum --check --quiet ||
        die "$name $version is not the package that was pinned"
    tar -xzf "$tmp/package.tgz" -C "$tmp"
    # Another start may have been quicker: its copy is the same.
    mv -T "$tmp/package" "$folder" 2>/dev/null || [[ -d $folder ]] || die "cannot write $folder"
    rm -rf "$tmp"
}

free_port() {
    node -e 'const s = require("net").createServer();
        s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); });'
}

# until_true SECONDS COMMAND...: waits for a command to succeed.
until_true() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        if ((SECONDS >= deadline)); then
            return 1
        fi
        sleep 0.1
    done
}

list_tables() {
    curl --silent --fail --max-time 5 --output /dev/null "$1" \
        --header 'Content-Type: application/x-amz-json-1.0' \
        --header 'X-Amz-Target: DynamoDB_20120810.ListTables' \
        --header 'X-Amz-Date: 20250101T000000Z' \
        --header 'Authorization: AWS4-HMAC-SHA256 Credential=local/20250101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0' \
        --data '{}'
}

# engine NAME start|stop|url: keeps one DynamoDB-compatible engine, for Linux. The script that calls it has defined
# `folder`, where the engine is installed, `engine_install`, which puts it there, and `engine_command PORT`, which
# becomes it by `exec` with a command line that names the folder.
engine() {
    local name=$1 action=$2
    local pid_file=$run_dir/$name.pid url_file=$run_dir/$name.url log=$run_dir/$name.log
    case $action in
    start)
        if engine_answers "$pid_file" "$url_file"; then
            cat "$url_file"
            return
        fi
        need curl curl
        need node nodejs
        engine_install
        mkdir -p "$run_dir"
        local port url
        port=$(free_port)
        url=http://127.0.0.1:$port
        (engine_command "$port") </dev/null >"$log" 2>&1 &
        echo $! >"$pid_file"
        echo "$url" >"$url_file"
        if ! until_true 60 engine_answers_or_died "$pid_file" "$url_file" ||
            ! engine_answers "$pid_file" "$url_file"; then
            cat "$log" >&2
            engine_stop "$pid_file" "$url_file"
            die "$name did not answer at $url"
        fi
        echo "$url"
        ;;
    stop) engine_stop "$pid_file" "$url_file" ;;
    url)
        engine_answers "$pid_file" "$url_file" || die "$name is not running"
        cat "$url_file"
        ;;
    *) die "usage: ${0##*/} start|stop|url" ;;
    esac
}

engine_alive() {
    [[ -f $1 ]] && kill -0 "$(<"$1")" 2>/dev/null
}

engine_answers() {
    engine_alive "$1" && list_tables "$(<"$2")"
}

engine_answers_or_died() {
    ! engine_alive "$1" || engine_answers "$1" "$2"
}

engine_gone() {
    ! engine_alive "$1"
}

# The command line is compared too: after a restart of the machine the number may be somebody else's.
engine_stop() {
    if engine_alive "$1" && grep --quiet --text --fixed-strings "$folder" "/proc/$(<"$1")/cmdline"; then
        kill "$(<"$1")"
        until_true 10 engine_gone "$1" || kill -KILL "$(<"$1")"
    fi
    rm -f "$1" "$2"
}
