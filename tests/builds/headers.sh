#!/bin/sh
# SPDX-License-Identifier: MIT
# headers.sh some|others
#
# Every public header and every port's compiles alone, and the port that is there to be copied, with every compiler that is there; every
# source alone with one of them, and all sources as one. `some` is the headers as C99 and as C++11.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

include_alone() {
	header=$1
	shift
	printf '#include "%s"\nint a_unit_is_not_empty;\n' "$header" | "$@" -
}

headers() {
	there "$1" || return
	for header in include/*.h include/quash/*.h; do
		count include_alone "$header" "$@" $strict
	done
}

# Every port's header compiles alone too; those of an RTOS against headers of our own, see tests/rtos, that over lwIP with
# lwIP's. Those that want a whole SDK compile in tests/packages.
port_headers() {
	there "$1" || return
	for header in port/*.h port/*/*.h; do
		case $header in
		port/arduino/* | port/esp-idf/* | port/pico/*) continue ;;
		port/lwip/*)
			count include_alone "$header" "$@" $strict -I. -isystem /usr/include/lwip -D_DEFAULT_SOURCE
			continue
			;;
		esac
		kernel=${header#port/rtos/rtos_}
		kernel=${kernel%.h}
		count include_alone "$header" "$@" $strict -I. -Iport -Itests/rtos/"${kernel%_usb}"
	done
}

# Each source alone, so that it includes what it needs.
core() {
	there "$1" || return
	for source in src/*/*.c; do
		count "$@" $strict "$source"
	done
}

# All of them as one. tests/builds has more compilers for that.
whole() {
	there "$1" || return
	count all_sources "$@" $strict -x c
}

all_sources() {
	printf '#include "%s"\n' src/*/*.c | "$@" -
}

template() {
	there "$1" || return
	count "$@" $strict port/template.c
}

# Each standard with one compiler.
some() {
	headers gcc -std=c99 -x c
	headers g++ -std=c++11 -x c++
}

others() {
	template gcc -std=c99
	port_headers gcc -std=c99 -x c
	core gcc -std=c99
	headers clang -std=c11 -x c
	template clang -std=c11
	port_headers clang -std=c11 -x c
	headers clang++ -std=c++11 -x c++
	for compiler in g++ clang++; do
		port_headers $compiler -std=c++11 -x c++
	done
	whole gcc -std=c11 -ffreestanding -O2
	headers arm-none-eabi-gcc -std=c99 -mcpu=cortex-m0plus -x c
	template arm-none-eabi-gcc -std=c99 -mcpu=cortex-m0plus
	whole arm-none-eabi-gcc -std=c99 -mcpu=cortex-m0plus -DQUASH_SIZE_BITS=32
	whole arm-none-eabi-gcc -std=c11 -mcpu=cortex-m0plus -DQUASH_COUNT_BITS=16
	headers avr-gcc -std=c99 -mmcu=atmega2560 -x c
	template avr-gcc -std=c99 -mmcu=atmega2560
}

case $1 in
some) some ;;
others) others ;;
esac

closes
