#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as a Zephyr module, with the port for Zephyr's UARTs and a sample.
set -eu
here=port/zephyr
for folder in include src port/rtos port/uart; do
	mkdir -p "$1/$folder"
done
cp -R include src "$1"
cp port/port_ring.[ch] port/console.[ch] "$1/port"
cp port/uart/uart.[ch] "$1/port/uart"
for part in rtos rtos_uart rtos_zephyr; do
	cp "port/rtos/$part.c" "port/rtos/$part.h" "$1/port/rtos"
done
cp -R "$here/zephyr" "$here/samples" "$here/README.md" "$1"

# The build file names every source.
for source in src/*/*.c; do
	printf '\t\t../%s\n' "$source"
done >"$1/sources"
sed -i -e "/@SOURCES@/r $1/sources" -e '/@SOURCES@/d' "$1/zephyr/CMakeLists.txt"
rm "$1/sources"
