#!/bin/sh
# SPDX-License-Identifier: MIT
# The library and its ports with a CMakeLists.txt on top.
set -eu
mkdir -p "$1/port/cmake"
cp -R include src "$1/"
cp -R port/*.[ch] port/http port/lwip port/posix port/rtos port/uart port/usb "$1/port/"
cp port/cmake/*.in port/cmake/install.cmake "$1/port/cmake/"
cp port/cmake/CMakeLists.txt port/cmake/README.md "$1/"
mkdir -p "$1/port/package"
cp -R port/package/check "$1/port/package/"
