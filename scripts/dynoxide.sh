#!/usr/bin/env bash
# Keeps dynoxide, the second reference engine of the whole-program tests, on a free loopback port.
#
#   scripts/dynoxide.sh start   installs it into .tools/ if needed, starts it, prints its URL
#   scripts/dynoxide.sh url     prints the URL of the one that runs
#   scripts/dynoxide.sh stop
#
# It holds its tables in memory.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

package=@dynoxide/linux-x64 # one native binary
version=1.2.1
sum=b011ea97127d00d90b96e1646117dde6bf18d00a457b0e0584eae5860440803e17cc4a053ae904a359ee053435fa34eda1fab09f83564369344e7e663538e052
folder=$tools/dynoxide-$version

engine_install() {
    [[ $(uname -sm) == "Linux x86_64" ]] || die "the binary that is pinned is for Linux on x86-64"
    npm_package "$package" "$version" "$sum" "$folder"
}

engine_command() {
    exec "$folder/dynoxide" --port "$1"
}

engine dynoxide "${1-}"
