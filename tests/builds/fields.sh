#!/bin/sh
# SPDX-License-Identifier: MIT
# A field of another type than its argument's does not compile, whatever warnings are on. As C99 that goes for another width.
# What is gone does not compile either: the one error says what is written in its place.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

# The struct's fields, its arguments, a compiler.
table() {
	fields=$1 arguments=$2
	shift 2
	constant=const
	case $* in *c++*) constant=constexpr ;; esac
	printf '%s\n' '#include "quash/params.h"' "static $constant quash_range range = { 0, 1, 0 };" \
		'static const char *const names[] = { "a", 0 };' "struct all { char first; $fields };" \
		"extern const quash_param list[]; const quash_param list[] = { $arguments };" \
		'const void *used(void); const void *used(void) { return range.min < 0 ? (const void *)names : list; }' |
		"$@" -fsyntax-only -Iinclude - 2>/dev/null
}

refused() {
	! table "$@"
}

# The right field, then wrong ones, each followed by a comma.
argument() {
	right=$1 wrong=$2 arguments=$3
	shift 3
	count table "$right" "$arguments" "$@" -Wall -Wextra -Wpedantic -Werror
	while [ -n "$wrong" ]; do
		count refused "${wrong%%,*}" "$arguments" "$@" -w
		wrong=${wrong#*,}
	done
}

# What is wrong as wide as the right one stands behind the slash.
both() {
	right=$1 wide=${2%%/*} typed=${2#*/} name=$3
	shift 3
	for end in 'NULL' '1, NULL'; do
		form=QUASH_ARG_$name
		case $end/$name in
		NULL/*) arguments="$form(struct all, f, $extra NULL)" ;;
		*/NUMBER) arguments="${form}_OR(struct all, f, $extra NULL)" ;;
		*/TEXT) arguments="${form}_OR(struct all, f, NULL, NULL)" ;;
		*/INTS) arguments="${form}_OR(struct all, f, $extra NULL)" ;;
		*) arguments="${form}_OR(struct all, f, $extra 0, NULL)" ;;
		esac
		case $* in *-std=c99*) argument "$right" "$wide" "$arguments" "$@" ;; *) argument "$right" "$wide$typed" "$arguments" "$@" ;; esac
	done
}

# A table of type quash_$1 with this entry, a compiler: the one error is that $2 is gone.
gone() {
	type=$1 word=$2 entry=$3
	shift 3
	said=$(printf '%s\n' '#include "quash/mcp.h"' 'int32_t f(quash_request *request); extern quash_group g; extern quash_mcp_session s;' \
		"extern const quash_mcp_tool t[1]; extern const quash_$type list[]; const quash_$type list[] = { $entry };" |
		LC_ALL=C "$@" -w -fsyntax-only -Iinclude - 2>&1)
	[ "$(echo "$said" | grep -c 'error:')" = 1 ] && echo "$said" | grep -q "error:.*${word}_is_gone_"
}

words() {
	count gone method quash_method 'QUASH_METHOD("a", f, 0)' "$@"
	count gone method quash_method_state 'QUASH_METHOD_STATE("a", f, f, 4, 0)' "$@"
	count gone method quash_method_data 'QUASH_METHOD_DATA("a", f, f, NULL, NULL, 4, 0)' "$@"
	count gone method quash_method_motion 'QUASH_METHOD_MOTION("a", f, f, 4, 70000, 2000, &g)' "$@"
	count gone mcp_tool quash_mcp_tool 'QUASH_MCP_TOOL("a", "A", NULL, f, 0)' "$@"
	count gone mcp_tool quash_mcp_tool_struct 'QUASH_MCP_TOOL_STRUCT("a", "A", NULL, NULL, f, 0)' "$@"
	count gone mcp_tool quash_mcp_tool_motion 'QUASH_MCP_TOOL_MOTION("a", "A", NULL, f, f, NULL, 70000, 2000, &g, 0)' "$@"
	count gone mcp_server quash_mcp_server 'QUASH_MCP_SERVER("a", "1", &s, t, 40)' "$@"
	count gone mcp_server quash_mcp_server_parts 'QUASH_MCP_SERVER_PARTS("a", "1", NULL, &s, t, NULL, 40)' "$@"
	case $* in *c++*) return ;; esac
	count gone method quash_drops '{ .name = "a", .handler = f, .marks = QUASH_DROPS }' "$@"
	count gone mcp_tool quash_mcp_moves '{ .name = "a", .call = f, QUASH_MCP_MOVES(f, 70000, 2000, &g) }' "$@"
}

fields() {
	there "$1" || return
	words "$@"
	extra='0, 1,'
	both 'int32_t f;' 'int16_t f;,int64_t f;,int8_t f;,int32_t f[2];,/uint32_t f;,float f;,' INT "$@"
	extra=
	both 'bool f;' 'int16_t f;,uint32_t f;,bool f[2];,/uint8_t f;,char f;,' BOOL "$@"
	both 'char f[8];' 'char f;,uint16_t f[8];,uint16_t f[4];,/uint8_t f[8];,char *f;,' TEXT "$@"
	extra='names,'
	both 'uint8_t f;' 'uint16_t f;,int32_t f;,uint8_t f[2];,/int8_t f;,bool f;,' ENUM "$@"
	extra='&range,'
	both 'double f;' 'char f;,int16_t f;,double f[2];,/uint8_t f[sizeof(double)];,' NUMBER "$@"
	extra='n, 0, 9,'
	both 'int32_t f[3]; uint8_t n;' \
		'int16_t f[4]; uint8_t n;,int64_t f[3]; uint8_t n;,int32_t f[3]; uint16_t n;,int32_t f; uint8_t n;,/uint32_t f[3]; uint8_t n;,int32_t f[3]; int8_t n;,' \
		INTS "$@"
}

# Each standard with one compiler.
fields gcc -std=c99 -x c
fields clang -std=c11 -x c
fields avr-gcc -std=c99 -mmcu=atmega328p -x c
fields arm-none-eabi-gcc -std=c11 -mcpu=cortex-m0plus -x c
for compiler in g++ clang++; do
	fields $compiler -std=c++11 -x c++
done

closes
