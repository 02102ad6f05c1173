#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh [DEVICE [BAUD]]
#
# What volunteers send: docs/volunteers.md. Without a device the programs of the host on this machine; with one the toolbox on the
# board behind it. Each command is printed, and what it prints. Ends with how many have failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
device=${1-} baud=${2:-115200} failed=0

# A command that has to end with this exit code.
expect() {
	code=$1
	shift
	printf '\n$ %s\n' "$*"
	"$@" 2>&1
	ended=$?
	[ $ended = "$code" ] && return
	echo "FAILED: exit code $ended"
	failed=$((failed + 1))
}

try() {
	expect 0 "$@"
}

machine() {
	try uname -srm
	try build/host/quash-inspect --version
	try cat build/host/flags
	try build/host/quash-bridge --list
	try node --version
	[ ! -d .git ] || try git log -1 --format=%h
}

# The device stays open meanwhile, for some systems forget its settings when it is closed.
conform() {
	{
		stty "$baud" raw -echo -hupcl <&3 && node tests/boards/conformance.mjs --lossy -- sh tests/boards/tty.sh "$device"
	} 3<"$device"
}

cancelled=130
board() {
	set -- build/host/quash-inspect --tty "$device" --baud "$baud"
	try "$@"
	try "$@" --tool led --arg on=true
	expect $cancelled "$@" --tool stepper --arg steps=60000 --cancel-after 500
	try build/host/quash-inspect --tool led --arg on=false -- build/host/quash-bridge --tty "$device" --baud "$baud"
	try conform
	try "$@" --tool stats
}

machine
if [ -n "$device" ]; then
	board
else
	try node tests/host/bridge.mjs
fi
printf '\n%s\n' "$failed commands have failed"
[ "$failed" = 0 ]
