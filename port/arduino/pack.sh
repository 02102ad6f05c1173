#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as an Arduino library: headers beside sources, all in src/.
set -eu
cd "$(dirname "$0")"
mkdir -p "$1/src"
cp README.md library.properties "$1/"
cp -R examples "$1/"
cp src/* "$1/src/"
node literals.mjs "$PAIR" >"$1/src/quash.c"
cp "$PAIR/quash.h" "$1/src/"
node keywords.mjs "$1/src/quash.h" "$1/src/quash_stream.h" >"$1/keywords.txt"
