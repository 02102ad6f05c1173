#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what install.sh names and runs the tests with it. With an argument NAME those of NAME.mjs instead of run.mjs.
# Without a network the tests are skipped, aloud.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
"$here/install.sh" || true
exec node "$here/${1:-run}.mjs"
