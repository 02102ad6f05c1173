#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh
#
# Installs what `make wine` needs: Debian's Wine, what builds the package and its bundle, the packages of the tests, and in build/wine/npm
# the Node of Windows, by the lock file beside this one. Nothing of a package runs here.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
tests/install.sh wine wine64 zip clang lld wasi-libc libclang-rt-dev-wasm32
tests/common/npm/install.sh
mkdir -p build/wine/npm
cd build/wine/npm
! cmp -s "$here/package-lock.json" installed.json || exit 0
cp "$here/package.json" "$here/package-lock.json" .
rm -f installed.json
# It is for another system than this one.
npm ci --force --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error >&2
cp package-lock.json installed.json
