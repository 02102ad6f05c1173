# BBC micro:bit V1: nRF51822, a Cortex-M0 with 16 KB RAM.
CC = arm-none-eabi-gcc
CPU = -mcpu=cortex-m0 -mthumb -DTOOLBOX_SLOTS=4 -DTOOLBOX_ARENA=512 -DTOOLBOX_TX=512 \
	-DTESTEE_SLOTS=4 -DTESTEE_ARENA=2048 -DTESTEE_TX=512 \
	-DAGENT_SLOTS=4 -DAGENT_SESSIONS=3 -DAGENT_ARENA=1024 -DAGENT_TX=400 \
	-DLANGSERVER_SLOTS=6 -DLANGSERVER_ARENA=2048 -DLANGSERVER_TX=512
PROGRAMS = testee toolbox agent langserver
BOARD_SOURCES = port/uart/uart_nrf51.c boards/firmware/cortex_m.c boards/firmware/cortex_m_clock.c
LINKING = -nostartfiles --specs=nano.specs -Lboards/firmware -T boards/microbit/link.ld
EMULATOR = qemu-system-arm -M microbit -display none -monitor none -semihosting -serial stdio -kernel
include boards/firmware/firmware.mk
