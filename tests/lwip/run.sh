#!/bin/sh
# SPDX-License-Identifier: MIT
# The port over lwIP: it compiles with every compiler that is there, for a processor without an OS by the options that its page
# shows; it runs on the host, under sanitizers. Each part closes with `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

bare=build/lwip/bare
mkdir -p $bare
for file in lwipopts.h main.c; do
	sed -n "/^\`\`\`c $file\$/,/^\`\`\`\$/p" port/lwip/README.md | sed '1d;$d' >$bare/$file
done

# A source with lwIP's headers; for a processor without an OS with those options.
compile() {
	source=$1
	shift
	there "$1" || return
	count "$@" $strict -Iinclude -Iport -isystem /usr/include/lwip "$source"
}

bare() {
	source=$1
	shift
	compile "$source" "$@" -ffreestanding -I$bare -Itests/lwip/bare
}

for standard in c99 c11; do
	for compiler in gcc clang; do
		compile port/lwip/lwip_tcp.c $compiler -std=$standard -D_DEFAULT_SOURCE
		bare port/lwip/lwip_tcp.c $compiler -std=$standard
	done
	for compiler in 'arm-none-eabi-gcc -mcpu=cortex-m0plus' 'riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32'; do
		bare port/lwip/lwip_tcp.c $compiler -std=$standard
		bare $bare/main.c $compiler -std=$standard
	done
done

refused_for_keepalive() {
	"$@" 2>&1 | grep -q 'error.*LWIP_TCP_KEEPALIVE must be 1'
}
mkdir -p build/lwip/mute
sed 's/KEEPALIVE 1/KEEPALIVE 0/' $bare/lwipopts.h >build/lwip/mute/lwipopts.h
count refused_for_keepalive gcc -std=c11 $strict -ffreestanding -Ibuild/lwip/mute -Itests/lwip/bare -isystem /usr/include/lwip port/lwip/lwip_tcp.c
closes

make lwip-sanitized || {
	fails 'it does not compile'
	exit 1
}
tests/unit/run.sh build/sanitized/host lwip

make lwip
tests/common/npm/install.sh || true
# Each of them waits most of its time; so both at once.
part node tests/boards/conformance.mjs -- build/host/tests/lwip/relay >build/lwip/conformance &
part node tests/lwip/clients.test.mjs
wait
cat build/lwip/conformance
