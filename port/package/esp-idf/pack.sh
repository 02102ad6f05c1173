#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as a component of ESP-IDF: its sources as they are, so that the map file names them.
set -eu
port=port/esp-idf
here=port/package/esp-idf
cp -R src include CHANGELOG.md "$1/"
mkdir -p "$1/port/rtos" "$1/$port"
cp port/rtos/rtos.c port/rtos/rtos.h "$1/port/rtos/"
cp $port/*.c $port/*.h "$1/$port/"
cp $here/CMakeLists.txt $here/idf_component.yml $here/sbom.yml $port/Kconfig $port/README.md "$1/"
cp -R $port/examples "$1/"
for example in uart usb socket; do
	cp $port/examples/common/* "$1/examples/$example/main/"
done
rm -r "$1/examples/common"

# The sources by their names, so that a new one is seen.
cd "$1"
for source in src/*/*.c port/rtos/*.c port/esp-idf/*.c; do
	printf '        "%s"\n' "$source"
done >sources
sed -e '/@SOURCES@/r sources' -e '/@SOURCES@/d' CMakeLists.txt >named
mv named CMakeLists.txt
rm sources
