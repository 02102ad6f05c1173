#!/bin/sh
# SPDX-License-Identifier: MIT
# The library in tasks of the test kernel, in QEMU: a handler whose work is done in another task, and the toolbox that
# every board carries beside a task that computes without end. Each part closes with `N passed, N failed, N skipped`.
set -eu
cd "$(dirname "$0")/../../.."

emulator=$(sed -n 's/^EMULATOR = //p' boards/mps2-an385/board.mk)
failed=0
make build/host/emulate
make BOARD=mps2-an385 BUILD=build/kernel kernel
programs=build/kernel/mps2-an385/kernel
# shellcheck disable=SC2086
node tests/rtos/kernel/kernel.mjs build/host/emulate $emulator $programs/crunch.elf || failed=1
# shellcheck disable=SC2086
node tests/boards/conformance.mjs -- build/host/emulate $emulator $programs/toolbox.elf || failed=1
exit $failed
