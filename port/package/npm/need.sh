#!/bin/sh
# SPDX-License-Identifier: MIT
# need.sh FOLDER
#
# Fetches what the package of npm in FOLDER/package needs, once. Without a network it lacks the addon for serial devices, which Linux and
# macOS do without.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] || { sed -n '3p' "$0"; exit 2; }
cd "$1/package"
kept=node_modules/.fetched # with this lock
! cmp -s "$here/npm-shrinkwrap.json" "$kept" || exit 0
# The lock has no addresses, and nothing of a package runs here.
if npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --no-update-notifier --fetch-retries=1 --loglevel=error >&2 && [ -d node_modules ]; then
	cp "$here/npm-shrinkwrap.json" "$kept"
else
	echo "make npm: the addon for serial devices could not be fetched; the package names it all the same" >&2
fi
