# Raspberry Pi Pico: RP2040, a Cortex-M0+ with 264 KB RAM, 2 MB flash outside. Its emulator is an npm package.
CC = arm-none-eabi-gcc
CPU = -mcpu=cortex-m0plus -mthumb -DLANGSERVER_ARENA=8192
PROGRAMS = testee toolbox agent langserver
BOARD_SOURCES = port/uart/uart_pl011.c boards/firmware/cortex_m.c boards/firmware/cortex_m_clock.c
LINKING = -nostartfiles --specs=nano.specs -Lboards/firmware -T boards/pico/link.ld
EMULATOR_INSTALL = tests/common/npm/install.sh >&2
EMULATOR = node boards/pico/emulate.mjs
include boards/firmware/firmware.mk
