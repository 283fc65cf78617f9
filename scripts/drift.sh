#!/usr/bin/env bash
# Fails when formatting, go.mod or generated code differ from what the tools write. Changes that are not committed
# are no drift: it compares the work tree before generating with the work tree after.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Prints the id of the work tree's content as a git tree, untracked files included, ignored files not.
snapshot() {
    cp "$(git rev-parse --git-path index)" "$tmp/index"
    GIT_INDEX_FILE=$tmp/index git add --all
    GIT_INDEX_FILE=$tmp/index git write-tree
}

unformatted=$(git ls-files -z --cached --others --exclude-standard '*.go' | xargs -0 gofmt -l)
if [[ -n $unformatted ]]; then
    printf 'not formatted, run make fmt:\n%s\n' "$unformatted" >&2
    exit 1
fi

go mod tidy -diff
for module in tests/compose bench/engine; do
    (cd "$module" && go mod tidy -diff)
done

before=$(snapshot)
go generate ./...
after=$(snapshot)
if ! git diff --exit-code --stat --patch "$before" "$after"; then
    echo 'go generate changed the files above: commit what it wrote' >&2
    exit 1
fi
