# QEMU's virt machine with an RV32IMAC. QEMU only.
CC = riscv64-unknown-elf-gcc
CPU = -march=rv32imac -mabi=ilp32 -misa-spec=2.2 -DLANGSERVER_ARENA=8192
PROGRAMS = testee toolbox agent langserver conformance
BOARD_SOURCES = port/uart/uart_16550.c boards/firmware/memory.c
LINKING = -nostdlib -nostartfiles -T boards/riscv-virt/link.ld -Wl,--no-warn-rwx-segments
LIBRARIES = -lgcc
EMULATOR = qemu-system-riscv32 -M virt -bios none -display none -monitor none -serial stdio -kernel
include boards/firmware/firmware.mk
