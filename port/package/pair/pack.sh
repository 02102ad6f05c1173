#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as two files, for any build system.
set -eu
cp "$PAIR/quash.c" "$PAIR/quash.h" port/package/pair/README.md "$1"
