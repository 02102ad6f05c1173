#!/bin/sh
# SPDX-License-Identifier: MIT
# The library and its ports with a meson.build on top, and the programs of the page of CMake as examples.
set -eu
mkdir -p "$1/port" "$1/example"
cp -R include src "$1/"
cp -R port/*.[ch] port/http port/lwip port/posix port/rtos port/uart port/usb "$1/port/"
cp port/package/meson/meson.build port/package/meson/meson_options.txt port/package/meson/README.md "$1/"
for language in c cpp; do
	echo '/* SPDX-License-Identifier: MIT */' >"$1/example/device.$language"
	awk -v fence="\`\`\`$language" '/^```/ { on = $0 == fence; next } on' port/package/cmake/README.md >>"$1/example/device.$language"
done
mkdir -p "$1/port/package"
cp -R port/package/check "$1/port/package/"
