#!/bin/sh
# SPDX-License-Identifier: MIT
# alone.sh OBJECT... -- OTHER...: the objects of the engine call only what is in them, in the others, or listed here, functions of the C
# library that need no system and no memory; and keep nothing between two bridges. Names what does not, and fails. NM names the program
# that reads them.
#
# Compilers make bcmp of memcmp. C libraries have functions under another name where they check sizes: __memcpy_chk.
# Other names with two underscores are the compiler's own, for arithmetic and what it watches. macOS puts one in front of each name.
set -u
allowed='memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp strpbrk strrchr strspn strstr strcasecmp strncasecmp
strcpy bcmp'

rows() {
	"${NM:-nm}" --format=sysv "$@" | awk -F '|' 'NF == 7 { gsub(/ /, ""); print $1, $3, $4, $5, $7 }'
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
} | awk '
	function is_of_compiler(name) {
		return name ~ /^_+(GLOBAL_OFFSET_TABLE_|aeabi_[a-z0-9_]+|(asan|ubsan|tsan|gcov|llvm|stack_chk|profile)_.*)$/ ||
			name ~ /^_+(u?div|u?mod|u?divmod|mul|ash[lr]|lshr|u?cmp|clz|ctz|popcount|bswap|neg|float|fix|extend|trunc|add|sub|eq|ne|lt|le|gt|ge|unord)[a-z]*[sdtx][if][0-9a-z]*$/
	}
	function is_known(name) {
		if (name in known || is_of_compiler(name))
			return 1
		sub(/^_/, "", name)
		if (name in allowed)
			return 1
		sub(/^_+/, "", name)
		sub(/_chk$/, "", name)
		return name in allowed
	}
	$1 == "--" { part++; next }
	NF == 2 { known[$1]; allowed[$1] }
	part < 2 && $2 != "U" { known[$1] }
	part < 2 { next }
	$2 == "U" && !is_known($1) { print "the engine needs " $1; wrong = 1 }
	$3 == "OBJECT" && $4 !~ /^0*$/ && $5 ~ /^(\.bss|\.tbss|\.tdata|\.data($|\.[^r]|\.r[^e])|\*COM\*)/ { print "the engine keeps " $1; wrong = 1 }
	END { exit wrong }' >&2
