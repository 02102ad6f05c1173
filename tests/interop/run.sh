#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the clients of the lock file under build/interop, unless they are there, and runs the tests with them.
# With an argument NAME those of NAME.mjs instead of run.mjs. Without a network the tests are skipped, aloud.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
modules=${INTEROP_MODULES:-$here/../../build/interop}
mkdir -p "$modules"
INTEROP_MODULES=$(cd "$modules" && pwd)
export INTEROP_MODULES
exec 9>"$modules/lock" # another suite may be about to do the same
flock 9
if ! cmp -s "$here/package-lock.json" "$modules/installed-lock.json"; then
	cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$modules"
	if (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
		cp "$here/package-lock.json" "$modules/installed-lock.json"
	else
		rm -rf "$modules/node_modules"
		echo "npm ci failed in $modules: the packages of tests/interop/package-lock.json are missing" >&2
	fi
fi

exec 9>&-
exec node "$here/${1:-run}.mjs"
