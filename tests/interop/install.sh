#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh [FOLDER]
#
# Installs the packages of the folder's lock file under build, in a folder of the same name, unless they are there. Without a folder
# it is this one: the clients, and the Pico's emulator, under build/interop or $INTEROP_MODULES. Fails without a network.
set -eu

here=$(cd "${1:-$(dirname "$0")}" && pwd)
modules=$here/../../build/$(basename "$here")
[ $# -gt 0 ] || modules=${INTEROP_MODULES:-$modules}
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
	echo "npm ci failed in $modules: the packages of $here/package-lock.json are missing" >&2
	exit 1
fi
