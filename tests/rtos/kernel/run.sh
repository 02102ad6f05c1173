#!/bin/sh
# SPDX-License-Identifier: MIT
# The library in tasks of the test kernel, in QEMU: a handler whose work is done in another task, and the programs that
# every board carries beside a task that computes without end. Each part closes with `N passed, N failed, N skipped`.
set -eu
cd "$(dirname "$0")/../../.."

emulator=$(sed -n 's/^EMULATOR = //p' boards/mps2-an385/board.mk)
failed=0
make build/host/emulate
for dialect in acp mcp; do
	make BOARD=mps2-an385 BUILD=build/kernel-$dialect DIALECT=$dialect kernel
	# shellcheck disable=SC2086
	node tests/rtos/kernel/kernel.mjs $dialect \
		build/host/emulate $emulator build/kernel-$dialect/mps2-an385/kernel/crunch.elf || failed=1
done
for app in toolbox testee; do
	# shellcheck disable=SC2086
	node tests/boards/conformance.mjs -- \
		build/host/emulate $emulator build/kernel-acp/mps2-an385/kernel/$app.elf || failed=1
done
exit $failed
