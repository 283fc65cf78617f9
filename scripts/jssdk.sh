#!/usr/bin/env bash
# Drives the engine with the AWS SDK for JavaScript.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/lib.sh
source scripts/lib.sh
need node nodejs
need npm npm

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/keyfirst" .
cd tests/jssdk
npm ci --no-audit --no-fund --silent
KEYFIRST=$tmp/keyfirst node --test
