#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the clients of the lock file, and the Pico's emulator, under build/interop or $INTEROP_MODULES, unless they
# are there. Fails without a network.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
modules=${INTEROP_MODULES:-$here/../../build/interop}
mkdir -p "$modules"
exec 9>"$modules/lock" # another suite may be about to do the same
flock 9
cmp -s "$here/package-lock.json" "$modules/installed-lock.json" && exit 0
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$modules"
cd "$modules"
command -v npm >/dev/null || echo "npm is missing; on Debian it is the package npm" >&2
if npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2; then
	cp package-lock.json installed-lock.json
else
	rm -rf node_modules
	echo "npm ci failed in $modules: the packages of tests/interop/package-lock.json are missing" >&2
	exit 1
fi
