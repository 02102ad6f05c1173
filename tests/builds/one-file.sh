#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as one file: it compiles without a warning, and the unit tests and the transcripts pass with it. Each part closes
# with `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

one_file() {
	there "$1" || return
	count "$@" $strict -ffreestanding build/quash.c
}

make one-file || exit 1
for compiler in gcc clang; do
	one_file $compiler -std=c11
	one_file $compiler -std=c99
done
one_file arm-none-eabi-gcc -std=c99 -mcpu=cortex-m0plus
one_file avr-gcc -std=c99 -mmcu=atmega2560
closes

make one-file-tests || exit 1
tests/unit/run.sh build/one-file/host
for mode in whole bytes; do
	part build/one-file/host/tests/talk/talk --mode $mode tests/talk/*.talk
done

# A config that is known where the library is compiled.
node tests/builds/known.mjs
make known-unit || exit 1
node tests/builds/units.mjs
make talk-known || exit 1
for dialect in acp lsp mcp jsonrpc; do
	for mode in whole bytes; do
		part build/known/host/talk-$dialect --mode $mode --dialect $dialect tests/talk/*.talk
	done
done
