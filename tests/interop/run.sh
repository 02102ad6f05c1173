#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what tests/common/npm/install.sh names and runs the tests with it. With an argument NAME those of NAME.mjs instead of run.mjs,
# which gets the arguments that follow. Without a network the tests are skipped, aloud.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
"$here/../common/npm/install.sh" || true
name=${1:-run}
[ $# = 0 ] || shift
exec node "$here/$name.mjs" "$@"
