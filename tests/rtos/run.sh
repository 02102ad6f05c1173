#!/bin/sh
# SPDX-License-Identifier: MIT
# The ports for an RTOS: each compiles with every compiler that is there, against headers of our own that state what it
# uses; each is run on the host over fakes of that; a million cancels, and the ring between two cores, run under ThreadSanitizer;
# and ring and wakes run on two cores. Each part closes with `N passed, N failed, N skipped`.
set -u
cd "$(dirname "$0")/../.." || exit 1

. tests/strict.sh

compile() {
	there "$1" || return
	for kernel in freertos zephyr cmsis2; do
		count "$@" $strict -Itests/rtos/$kernel port/rtos/rtos_$kernel.c
	done
	count "$@" $strict -Itests/rtos/zephyr -DCONFIG_SMP port/rtos/rtos_zephyr.c
	count "$@" $strict -Itests/rtos/zephyr port/rtos/rtos_zephyr_usb.c
	count "$@" $strict -Itests/rtos/freertos -DSTATED_CORES=2 -DconfigUSE_CORE_AFFINITY=1 port/rtos/rtos_freertos.c
	count "$@" $strict port/rtos/rtos.c port/rtos/rtos_uart.c
	count "$@" $strict -DPORT_SEVERAL_CORES=0 port/port_ring.c port/uart/uart.c
	count "$@" $strict -DPORT_SEVERAL_CORES=1 port/port_ring.c port/uart/uart.c
}

# Where its task could wander to another core than that of its interrupts, the port for FreeRTOS says what to do.
refuses_cores() {
	said=$(gcc -std=c11 -fsyntax-only -Itests/rtos/freertos -DSTATED_CORES=2 port/rtos/rtos_freertos.c 2>&1) && return 1
	echo "$said" | grep -q 'error: #error .*configUSE_CORE_AFFINITY to 1'
}
count refuses_cores

# Each standard with some compilers.
for compiler in 'gcc -std=c99' 'clang -std=c11' 'arm-none-eabi-gcc -mcpu=cortex-m0plus -std=c99' \
	'riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -ffreestanding -std=c11'; do
	compile $compiler
done
for compiler in gcc clang; do
	count $compiler -std=c11 $strict port/posix/posix_threads.c
done
closes

make rtos-sanitized rtos-threads rtos-wakes rtos-ring rtos-early || {
	fails 'it does not compile'
	exit 1
}
for kernel in freertos zephyr cmsis2; do
	part build/sanitized/host/tests/rtos/$kernel/test
done
part build/sanitized/host/tests/rtos/smp/test
part build/sanitized/host/tests/rtos/zephyr/dtr
part build/sanitized/host/tests/rtos/freertos/narrow
part build/sanitized/host/tests/rtos/freertos/cores
part build/host/tests/rtos/early/points
TSAN_OPTIONS=halt_on_error=0 part build/threads/host/tests/rtos/cancels
TSAN_OPTIONS=halt_on_error=0 part build/threads/host/tests/rtos/smp/test
TSAN_OPTIONS=halt_on_error=0 part build/threads/host/tests/rtos/ring 10
part build/host/tests/rtos/ring
part build/host/tests/rtos/wakes
