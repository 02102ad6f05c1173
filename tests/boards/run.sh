#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the firmwares of all boards and runs the tests that speak with them over their emulated UARTs. Each part closes
# with `N passed, N failed, N skipped`.
set -eu
cd "$(dirname "$0")/../.."

# The Pico's emulator is slower than the chip and its clock runs unevenly: it is tried by hand.
boards=$(grep -l '^EMULATOR = qemu' boards/*/board.mk | cut -d/ -f2)
make build/host/attach
for board in $boards; do
	make BOARD="$board" all board-console
done

# What docs/porting.md has a new target do, the supplied ones do too.
failed=0
conform() {
	timeout -k 10 400 node tests/boards/conformance.mjs "$@" || failed=1
}
make build/host/toolbox build/host/testee
conform -- build/host/toolbox
conform --dialect lsp -- build/host/testee --dialect lsp
for board in $boards; do
	for app in toolbox testee; do
		conform -- make -s --no-print-directory run BOARD="$board" APP="$app"
	done
done

# A UART that is shared with a console.
for board in $boards; do
	emulator=$(sed -n 's/^EMULATOR = //p' "boards/$board/board.mk")
	# shellcheck disable=SC2086
	timeout -k 10 400 node tests/boards/console.mjs build/host/attach $emulator "build/$board/tests/boards/console/console.elf" || failed=1
done

tests/interop/run.sh boards.test || failed=1
exit $failed
