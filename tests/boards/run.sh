#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the firmwares of all boards and runs the tests that speak with them over their emulated UARTs.
set -eu
cd "$(dirname "$0")/../.."

boards=$(grep -l '^EMULATOR' boards/*/board.mk | cut -d/ -f2)
make build/host/attach
for board in $boards; do
	make BOARD="$board"
done
exec tests/interop/run.sh boards.test
