#!/bin/sh
# SPDX-License-Identifier: MIT
# The library for the pico-sdk, with the port for TinyUSB and an example.
set -eu
port=port/pico
mkdir -p "$1/port/usb"
cp -R include src "$1"
cp port/port_serve.h "$1/port"
cp port/usb/usb.[ch] port/usb/usb_tinyusb.[ch] "$1/port/usb"
cp $port/quash_pico.[ch] $port/README.md port/package/pico/CMakeLists.txt "$1"
cp -R $port/examples "$1"

# The sources by their names: a new one is seen without configuring anew by hand.
cd "$1"
for source in src/*/*.c; do
	printf '\t${CMAKE_CURRENT_LIST_DIR}/%s\n' "$source"
done >sources
sed -e '/@SOURCES@/r sources' -e '/@SOURCES@/d' CMakeLists.txt >named
mv named CMakeLists.txt
rm sources
