#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as an Arduino library: headers beside sources, all in src/.
set -eu
here=port/package/arduino
cd "$(dirname "$0")/../../.."
mkdir -p "$1/src"
cp port/arduino/README.md $here/library.properties "$1/"
cp -R port/arduino/examples "$1/"
mkdir -p "$1/extras"
cp -R port/package/check "$1/extras/"
cp port/arduino/src/* "$1/src/"
# Beside a core's USB.h no file may be named usb.h.
for part in h c; do
	sed -e 's|"../../include/quash/port.h"|"quash_tools.h"|; s|"usb.h"|"quash_port_usb.h"|; s|"../port_serve.h"|"quash_port_serve.h"|' \
		port/usb/usb.$part >"$1/src/quash_port_usb.$part"
done
sed -e 's|"../include/quash/port.h"|"quash_tools.h"|' port/port_serve.h >"$1/src/quash_port_serve.h"
node $here/literals.mjs "$PAIR" >"$1/src/quash.c"
# A sketch of tools reads no more than it needs.
cp "$PAIR/quash_tools.h" "$1/src/"
cp "$PAIR/quash_rest.h" "$1/src/quash.h"
node $here/keywords.mjs "$1/src/quash_tools.h" "$1/src/quash.h" "$1/src/quash_stream.h" "$1/src/quash_usb.h" >"$1/keywords.txt"
