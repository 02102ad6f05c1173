#!/bin/sh
# SPDX-License-Identifier: MIT
# alone.sh OBJECT... -- OTHER...: the objects of the engine call only what is in them, in the others, or listed here, functions of the C
# library that need no system and no memory; and keep nothing between two bridges. Names what does not, and fails. NM names the program that reads them.
#
# Compilers make bcmp of memcmp.
set -u
allowed='memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp strpbrk strrchr strspn strstr strcasecmp strncasecmp
strcpy strtod strtol strtoul bcmp'
compiler='^(_GLOBAL_OFFSET_TABLE_|_+(asan|ubsan|tsan|gcov|llvm|stack_chk)_.*)$'

rows() {
	"${NM:-nm}" --format=sysv "$@" | awk -F '|' 'NF == 7 { gsub(/ /, ""); print $1, $3, $4, $5, $7 }' FS='|'
}

engine=
while [ "$1" != -- ]; do
	engine="$engine $1"
	shift
done
shift
# shellcheck disable=SC2086 # names of objects have no blanks
{
	for name in $allowed; do echo "$name T"; done
	rows "$@"
	echo --
	rows $engine
	echo --
	rows $engine
} | awk -v compiler="$compiler" '
	$1 == "--" { part++; next }
	part < 2 && $2 != "U" { known[$1] }
	part < 2 { next }
	$2 == "U" && !($1 in known) && $1 !~ compiler { print "the engine needs " $1; wrong = 1 }
	$3 == "OBJECT" && $4 !~ /^0*$/ && $5 ~ /^(\.bss|\.tbss|\.tdata|\.data($|\.[^r]|\.r[^e])|\*COM\*)/ { print "the engine keeps " $1; wrong = 1 }
	END { exit wrong }' >&2
