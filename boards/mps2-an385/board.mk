# Arm MPS2 with AN385, a Cortex-M3 at 25 MHz. QEMU only.
CC = arm-none-eabi-gcc
CPU = -mcpu=cortex-m3 -mthumb -DLANGSERVER_ARENA=8192
PROGRAMS = testee toolbox agent langserver conformance
BOARD_SOURCES = port/uart/uart_cmsdk.c boards/firmware/cortex_m.c boards/firmware/cortex_m_clock.c
LINKING = -nostartfiles --specs=nano.specs -Lboards/firmware -T boards/mps2-an385/link.ld
EMULATOR = qemu-system-arm -M mps2-an385 -display none -monitor none -semihosting -serial stdio -kernel
include boards/firmware/firmware.mk
