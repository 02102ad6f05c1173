#!/bin/sh
# SPDX-License-Identifier: MIT
# tty.sh DEVICE
#
# Puts a serial device, set up by stty before, on stdin and stdout, until stdin ends.
set -eu

cat "$1" &
reader=$!
trap 'kill $reader' EXIT
trap 'exit 143' HUP INT TERM
cat >"$1"
