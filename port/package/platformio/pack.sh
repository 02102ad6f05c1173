#!/bin/sh
# SPDX-License-Identifier: MIT
# The library for PlatformIO: what the Arduino library has, and ports for PCs and for ESP-IDF. A port's sources are compiled
# where they belong, and are empty elsewhere.
set -eu
here=port/package/platformio
folder=$1

# Writes file $2 as $3, empty unless condition $1 holds.
under() {
	{
		echo "#if $1"
		cat "$2"
		echo "#endif /* $1 */"
	} >"$3"
}

cp $here/library.json $here/README.md CHANGELOG.md "$folder/"
cp -R $here/examples "$folder/"

arduino=$folder/.arduino
mkdir "$arduino"
sh port/package/arduino/pack.sh "$arduino"
mkdir -p "$folder/src" "$folder/examples/mega/src" "$folder/examples/uno/src"
cp "$arduino"/src/*.[ch] "$folder/src/"
for file in "$arduino"/src/*.cpp; do
	under 'defined ARDUINO' "$file" "$folder/src/${file##*/}"
done
cp "$arduino/examples/Motor/Motor.ino" "$folder/examples/mega/src/"
cp "$arduino/examples/OneTool/OneTool.ino" "$folder/examples/uno/src/"
cp -R "$arduino/extras" "$folder/"
rm -r "$arduino"

# Ports name headers of the contract by their place in the tree.
mkdir -p "$folder/src/include/quash" "$folder/src/port/posix" "$folder/src/port/rtos" "$folder/src/port/esp-idf"
for name in port mcp; do
	printf '/* SPDX-License-Identifier: MIT */\n#include "../../quash.h"\n' >"$folder/src/include/quash/$name.h"
done
cp port/posix/posix_serve_inner.h port/posix/posix_system.h "$folder/src/port/posix/"
for name in stdio serve parent; do
	cp port/posix/posix_$name.h "$folder/src/port/posix/"
	under 'defined __unix__ || defined __APPLE__' port/posix/posix_$name.c "$folder/src/port/posix/posix_$name.c"
done
cp port/rtos/rtos.h "$folder/src/port/rtos/"
for name in time uart usb tcp; do
	cp port/esp-idf/quash_esp_$name.h "$folder/src/port/esp-idf/"
done
idf='defined ESP_PLATFORM && !defined ARDUINO'
under "$idf" port/rtos/rtos.c "$folder/src/port/rtos/rtos.c"
for name in uart usb tcp; do
	under "$idf" port/esp-idf/quash_esp_$name.c "$folder/src/port/esp-idf/quash_esp_$name.c"
done
