#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PART
#
# A peer on one hart of QEMU's virt machine, without an operating system; on the other its UART's interrupt, cancels and wakes, which are a
# million, or so small a part of it.
# Closes with `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/../../.." || exit 1

. tests/strict.sh

for tool in riscv64-unknown-elf-gcc qemu-system-riscv32; do
	command -v "$tool" >/dev/null || {
		skips "$tool is missing"
		exit 0
	}
done
[ "$(nproc)" -gt 1 ] || {
	skips 'two harts that run at the same time take two processors'
	exit 0
}

wrong() {
	fails "$1"
	exit 1
}

make BOARD=riscv-virt CORES_PART="$1" cores || wrong 'it does not compile'
qemu-system-riscv32 -M virt -smp 2 -accel tcg,thread=multi -bios none -display none -monitor none -serial stdio \
	-kernel "build/riscv-virt/cores-$1/cores.elf" </dev/null
code=$?
[ "$code" -le 1 ] || wrong "the emulator ended with $code"
exit "$code"
