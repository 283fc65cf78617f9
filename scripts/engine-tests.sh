#!/usr/bin/env bash
# Runs the whole-program tests and the conformance suite against a real engine that it starts and stops. On DynamoDB
# Local, random operations are compared with the embedded engine too.
#
#   scripts/engine-tests.sh dynamodb-local|dynoxide
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

engine=scripts/${1-}.sh
case ${1-} in
dynamodb-local | dynoxide) ;;
*)
    echo "usage: $0 dynamodb-local|dynoxide" >&2
    exit 2
    ;;
esac

# Its own engine, not one that somebody works with.
ENGINE_RUN_DIR=$(mktemp -d)
export ENGINE_RUN_DIR
trap '"$engine" stop; rm -rf "$ENGINE_RUN_DIR"' EXIT

DYNAMODB_ENDPOINT=$("$engine" start)
export DYNAMODB_ENDPOINT
export REQUIRE_DYNAMODB=1 CONFORMANCE_ENGINE=$1 AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=us-east-1
go test -count=1 ./tests/...
