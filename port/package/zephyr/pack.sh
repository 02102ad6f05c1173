#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as a Zephyr module, with the port for Zephyr's UARTs and a sample.
set -eu
port=port/zephyr
here=port/package/zephyr
mkdir -p "$1/port/rtos" "$1/port/uart" "$1/port/usb"
cp -R include src "$1"
cp port/port_ring.[ch] port/console.[ch] port/port_serve.h "$1/port"
cp port/uart/uart.[ch] "$1/port/uart"
cp port/usb/usb.[ch] "$1/port/usb"
for part in rtos rtos_uart rtos_zephyr rtos_zephyr_usb; do
	cp "port/rtos/$part.c" "port/rtos/$part.h" "$1/port/rtos"
done
cp -R $port/zephyr $port/samples $port/tests $port/README.md "$1"
cp $here/CMakeLists.txt $here/module.yml "$1/zephyr"

# The sources by their names, from the folder of the build file: what Zephyr asks of modules, in place of a pattern.
cd "$1/zephyr"
for source in ../src/*/*.c; do
	printf '\t\t%s\n' "$source"
done >sources
sed -e '/@SOURCES@/r sources' -e '/@SOURCES@/d' CMakeLists.txt >named
mv named CMakeLists.txt
rm sources
