#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh FOLDER CONFIG TABLES... [-- COMPILER OPTION...]
#
# Checks the config named CONFIG, which the C files TABLES define, before it is on a device, and writes
# FOLDER/quash_checked_CONFIG.h. `quash_start` needs that header. When something is wrong it says what, removes the header and
# ends with 1.
#
# COMPILER and its options are those that the firmware is compiled with. Two things are made of the tables. A program for this
# computer, by $HOSTCC (cc), runs `quash_init`: its quash_size is as wide as the device's, and handlers that the tables name are
# stubs. And COMPILER compares what this program has found with what the tables are on the device. So the numbers that depend
# on the width of `int`, on pointers and on sizes of structs are the device's own. Without COMPILER the device is this computer.
#
# $NM is the `nm` of $HOSTCC (nm). docs/checking.md has the use.
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
HOSTCC=${HOSTCC:-cc}
NM=${NM:-nm}

usage() {
	sed -n '3p' "$0" >&2
	exit 2
}

[ $# -ge 3 ] || usage
mkdir -p "$1"
folder=$(cd "$1" && pwd)
config=$2
shift 2
at=$folder/$config
header=$folder/quash_checked_$config.h
rm -f "$header" "$at".*

# The library: a tree, or as one file.
for root in "$here/../../.." "$here/../../src"; do
	[ ! -e "$root/include/quash.h" ] && [ ! -e "$root/quash.c" ] || break
done
root=$(cd "$root" && pwd)
if [ -e "$root/include/quash.h" ]; then
	headers=$root/include sources="$root/src/*/*.c" all="$root/include $root/src"
else
	headers=$root sources=$root/quash.c all=$sources
fi

tables= first=
: >"$at.tables"
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	[ -e "$1" ] || { echo "check.sh: there is no $1" >&2; exit 1; }
	printf '#include "%s"\n' "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")" >>"$at.tables"
	first=${first:-$1}
	shift
done
[ -n "$first" ] || usage
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- "$HOSTCC"

# In a response file.
quoted() {
	printf '%s\n' "$1" | sed 's/[\\"]/\\&/g; s/.*/"&"/'
}

# Of the device's options those that change what the tables say.
next=
for option; do
	case $next$option in
	-I | -D | -U | -isystem | -iquote | -include) next=+ ;;
	+* | -I* | -D* | -U* | -std=c* | -std=gnu[0-9]*)
		quoted "$option"
		next=
		;;
	*) next= ;;
	esac
	[ "$next" = + ] && quoted "$option"
done >"$at.options" || :

# How wide things are on the device.
widths=$(printf '#include "quash.h"\nquash_widths QUASH_SIZE_BITS QUASH_WORD\n' |
	"$@" -I"$headers" -E -P -x c - | sed -n 's/^quash_widths //p')
[ -n "$widths" ] || { echo "check.sh: $1 finds no quash.h" >&2; exit 1; }
bits=${widths% *} word=${widths#* }
own="-DQUASH_SIZE_BITS=$bits -DQUASH_WORD=$word"

# The library of this computer is made once.
library=$folder/library-$bits-$word
made=$library.$$
compiled() {
	mkdir -p "$made"
	(cd "$made" && "$HOSTCC" -O0 -w $own -I"$headers" -c $sources)
	"$HOSTCC" -O0 -w $own -I"$headers" -c "$here/pc_check.c" -o "$made/pc_check.o"
	"$HOSTCC" -O0 -w $own -I"$headers" -c "$here/pc_numbers.c" -o "$made/pc_numbers.o"
	"$NM" -g "$made"/*.o | awk 'NF > 1 && $(NF - 1) ~ /^[A-Za-z]$/ { print $(NF - 1), $NF }' >"$made/names"
}
if [ ! -e "$library/names" ] || [ -n "$(find $all "$here" -name '*.[ch]' -newer "$library/names" -print 2>/dev/null | head -n 1)" ]; then
	compiled
	rm -rf "$library"
	mv "$made" "$library" 2>/dev/null || rm -rf "$made" # another one was faster
fi

# The tables and what is to know of them, in one unit: the config may be static.
{
	cat "$at.tables"
	printf 'extern const quash_config *const quash_pc_config;\nconst quash_config *const quash_pc_config = &%s;\n' "$config"
	printf 'extern const char *const quash_pc_place;\nconst char *const quash_pc_place = "%s: config %s";\n' "$first" "$config"
} >"$at.host.c"
"$HOSTCC" @"$at.options" $own -I"$headers" -O0 -Werror=overflow -Dmain=quash_pc_no_main -c "$at.host.c" -o "$at.o"

# A stub for each function that stands elsewhere. In Mach-O files each name has a `_` in front.
"$NM" -g "$at.o" | awk 'NF > 1 && $(NF - 1) == "U" { print $NF }' | awk '
	FNR == NR { known[$2] = 1; if ($2 == "_quash_feed") front = 1; next }
	$1 in known { next }
	{ name = front ? substr($1, 2) : $1 }
	name !~ /^_/ { print "long " name "(void);\nlong " name "(void) { return quash_pc_stub(\"" name "\"); }" }
	BEGIN { print "long quash_pc_stub(const char *name);" }
	' "$library/names" - >"$at.stubs.c"
"$HOSTCC" -O0 -w "$at.o" "$at.stubs.c" "$library"/*.o -o "$at.program"

# The program checks, and writes for the device's compiler what it has found.
"$at.program" >"$at.numbers.h"
{
	cat "$at.tables"
	printf '#include "%s/pc_device.h"\n#define quash_check_the_config %s\n#include "%s.numbers.h"\n' "$here" "$config" "$config"
	echo 'void quash_checked(void);'
	echo 'void quash_checked(void) { quash_check_device(); }'
} >"$at.device.c"
"$@" -I"$headers" -Wno-error -Werror=overflow -Os -fno-lto -MMD -MP -MF "$at.d" -MT "$header" -c "$at.device.c" -o "$at.device.o"

printf '/* %s has checked it. */\n#ifndef QUASH_CHECKED_%s\n#define QUASH_CHECKED_%s\nenum { quash_checked_%s };\n#endif\n' \
	check.sh "$config" "$config" "$config" >"$header.$$"
mv "$header.$$" "$header"
