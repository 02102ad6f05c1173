#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of the lock file in build/npm/tools, unless they are there. Nothing of a package runs here. Fails without a network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../build/npm/tools
mkdir -p "$tools"
cd "$tools"
! cmp -s "$here/package-lock.json" installed.json || exit 0
cp "$here/package.json" "$here/package-lock.json" .
rm -f installed.json
npm ci --prefer-offline --ignore-scripts --no-audit --no-fund --fetch-retries=1 --loglevel=error >&2
cp package-lock.json installed.json
