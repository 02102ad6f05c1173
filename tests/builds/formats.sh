#!/bin/sh
# SPDX-License-Identifier: MIT
# Texts with values in them compile where each value has the type that the format names, and a format is a literal. All else does not.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

# An answer, a compiler.
answers() {
	answer=$1
	shift
	printf '%s\n' '#include "quash/mcp_logging.h"' 'int32_t say(quash_request *request, quash_writer *w, int d, long ld, int32_t wide, char *user);' \
		'int32_t say(quash_request *request, quash_writer *w, int d, long ld, int32_t wide, char *user)' \
		"{ (void)request; (void)w; (void)d; (void)ld; (void)wide; (void)user; (void)($answer); return 0; }" |
		"$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -Iinclude - 2>/dev/null
}

refused() {
	! answers "$@"
}

# The beginning of an answer up to its format, a compiler.
formats() {
	begin=$1
	shift
	count answers "$begin \"%d steps, %s\", d, user)" "$@"
	count answers "$begin \"%ld %lu %u %c %%\", (long)wide, (unsigned long)ld, (unsigned)d, 'a')" "$@"
	count answers "$begin \"%.2ld %.9d %.0u\", ld, d, 1u)" "$@"
	count answers "$begin \"two \" \"literals %d\", d)" "$@"
	count refused "$begin \"%d\", ld)" "$@"
	count refused "$begin \"%ld\", d)" "$@"
	count refused "$begin \"%s\", d)" "$@"
	count refused "$begin \"%d\", user)" "$@"
	count refused "$begin \"%.2ld\", d)" "$@"
	count refused "$begin \"%d %d\", d)" "$@"
	count refused "$begin \"%d\", d, d)" "$@"
	count refused "$begin \"%y\", d)" "$@"
	count refused "$begin \"%\", d)" "$@"
	count refused "$begin \"%d\")" "$@"
	count refused "$begin user, d)" "$@"
}

each() {
	there "$1" || return
	for begin in 'quash_mcp_textf(request,' 'quash_mcp_failuref(request,' 'quash_reply_textf(request,' 'quash_failf(request, -5,' \
		'quash_put_textf(w,'; do
		formats "$begin" "$@"
	done
}

each gcc -std=c99 -x c
each clang -std=c11 -x c
each avr-gcc -std=c99 -mmcu=atmega328p -x c
each arm-none-eabi-gcc -std=c11 -mcpu=cortex-m0plus -x c
each g++ -std=c++11 -x c++
each clang++ -std=c++11 -x c++

closes
