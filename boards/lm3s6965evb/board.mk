# Stellaris LM3S6965 evaluation board: a Cortex-M3 with 256 KB flash and 64 KB RAM.
CC = arm-none-eabi-gcc
CPU = -mcpu=cortex-m3 -mthumb -DLANGSERVER_ARENA=8192
PROGRAMS = testee toolbox agent langserver
BOARD_SOURCES = port/uart/uart_pl011.c boards/firmware/cortex_m.c boards/firmware/cortex_m_clock.c
LINKING = -nostartfiles --specs=nano.specs -Lboards/firmware -T boards/lm3s6965evb/link.ld
EMULATOR = qemu-system-arm -M lm3s6965evb -display none -monitor none -semihosting -serial stdio -kernel
include boards/firmware/firmware.mk
