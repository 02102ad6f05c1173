#!/bin/sh
# SPDX-License-Identifier: MIT
# The library and its ports with a CMakeLists.txt on top.
set -eu
mkdir -p "$1/port/cmake"
cp -R include src "$1/"
cp -R port/*.[ch] port/http port/lwip port/posix port/rtos port/uart port/usb "$1/port/"
cp port/package/cmake/*.in port/package/cmake/install.cmake "$1/port/cmake/"
cp port/package/cmake/CMakeLists.txt port/package/cmake/README.md "$1/"
mkdir -p "$1/port/package"
cp -R port/package/check "$1/port/package/"
