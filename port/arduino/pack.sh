#!/bin/sh
# SPDX-License-Identifier: MIT
# The library as an Arduino library: headers beside sources, all in src/.
set -eu
cd "$(dirname "$0")"
mkdir -p "$1/src"
cp README.md library.properties "$1/"
cp -R examples "$1/"
mkdir -p "$1/extras"
cp -R ../package/check "$1/extras/"
cp src/* "$1/src/"
# Beside a core's USB.h no file may be named usb.h.
for part in h c; do
	sed -e 's|"../../include/quash/port.h"|"quash.h"|; s|"usb.h"|"quash_port_usb.h"|; s|"../port_serve.h"|"quash_port_serve.h"|' \
		../usb/usb.$part >"$1/src/quash_port_usb.$part"
done
sed -e 's|"../include/quash/port.h"|"quash.h"|' ../port_serve.h >"$1/src/quash_port_serve.h"
node literals.mjs "$PAIR" >"$1/src/quash.c"
cp "$PAIR/quash.h" "$1/src/"
node keywords.mjs "$1/src/quash.h" "$1/src/quash_stream.h" "$1/src/quash_usb.h" >"$1/keywords.txt"
