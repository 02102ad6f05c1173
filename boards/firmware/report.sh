#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh SIZE NM ELF: what a firmware takes of the memory, after it was linked: its RAM (variables), and what is left
# of it for the stack.
set -eu
symbol() {
	"$2" "$3" | sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p"
}
bottom=$(symbol stack_bottom "$2" "$3")
top=$(symbol stack_top "$2" "$3")
"$1" "$3" | awk -v elf="$3" -v stack=$((top - bottom)) \
	'NR == 2 { printf "  RAM %s: %d B of variables, %d B left for the stack\n", elf, $2 + $3, stack }'
