#!/bin/sh
# SPDX-License-Identifier: MIT
# array.sh FILE NAME
#
# Prints C that defines NAME, the bytes of FILE with a NUL behind them.
set -eu
[ $# = 2 ] || { sed -n '3p' "$0" >&2; exit 2; }
echo "extern const unsigned char $2[];"
echo "const unsigned char $2[] = {"
od -An -v -tu1 "$1" | sed 's/[0-9][0-9]*/&,/g'
echo "0 };"
