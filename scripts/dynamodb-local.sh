#!/usr/bin/env bash
# Keeps AWS DynamoDB Local, the reference engine of the whole-program tests, on a free loopback port.
#
#   scripts/dynamodb-local.sh start   installs it into .tools/ if needed, starts it, prints its URL
#   scripts/dynamodb-local.sh url     prints the URL of the one that runs
#   scripts/dynamodb-local.sh stop
#
# It holds its tables in memory, and all access keys see the same ones. It listens on every interface: it has no
# option for that.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

package=amplify-dynamodb-simulator # AWS's own jar, in AWS's own package
version=2.9.30
sum=c5379e44bbf311fab2779961ddb1f8734907bd21c79a6843e590ec1c5280439836665e89aa515dbad6908422c7cf1129e91cb5a3b4c1ea7888a17b9002749ec1
folder=$tools/dynamodb-local-$version

engine_install() {
    need java openjdk-17-jre-headless
    npm_package "$package" "$version" "$sum" "$folder"
}

engine_command() {
    local emulator=$folder/emulator
    cd "$run_dir" # it writes a file of its own where it starts
    exec java -Xmx512m -Djava.library.path="$emulator/DynamoDBLocal_lib" -jar "$emulator/DynamoDBLocal.jar" \
        -inMemory -sharedDb -port "$1"
}

engine dynamodb-local "${1-}"
