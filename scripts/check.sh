#!/usr/bin/env bash
# The gate: every step, in order, named and timed, until the first that fails. Its exit code is that step's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() {
    local name=$1 start=$SECONDS code=0
    shift
    printf '\n==> %s: %s\n' "$name" "$*"
    "$@" || code=$?
    if ((code != 0)); then
        printf '<== %s: FAILED with exit code %d after %d s\n' "$name" "$code" $((SECONDS - start))
        exit "$code"
    fi
    printf '<== %s: ok after %d s\n' "$name" $((SECONDS - start))
}

step test go test ./...
step drift make drift
step lint make lint
step vet make vet
step race make race
step 'DynamoDB Local' scripts/engine-tests.sh dynamodb-local
step dynoxide scripts/engine-tests.sh dynoxide
step 'JavaScript SDK' scripts/jssdk.sh
step compose make compose
step README make readme

printf '\nThe gate is green after %d s.\n' "$SECONDS"
