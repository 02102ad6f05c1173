#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the agent hosts of the lock file in the user's cache, about a gigabyte, unless they are there; prints the folder.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
modules=${XDG_CACHE_HOME:-$HOME/.cache}/quash/hosts
mkdir -p "$modules"
echo "$modules"
exec 9>"$modules/lock"
flock 9
cmp -s "$here/package-lock.json" "$modules/installed-lock.json" && exit 0
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$modules"
cd "$modules"
rm -f installed-lock.json
echo "installing agent hosts in $modules" >&2
# The lock file has the programs for Linux on x86-64; with npm ci those for other machines would have to be there too.
npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error >&2
# It puts the program for this machine where the package expects it.
node node_modules/opencode-ai/postinstall.mjs >&2
cp package-lock.json installed-lock.json
