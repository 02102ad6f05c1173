# Arduino Mega 2560: ATmega2560 at 16 MHz with 8 KB RAM.
CC = avr-gcc
CPU = -mmcu=atmega2560 -std=gnu11 -DTOOLBOX_SLOTS=3 -DTOOLBOX_ID_SIZE=40 -DTOOLBOX_ARENA=512 -DTOOLBOX_TX=160 \
	-DTESTEE_SLOTS=4 -DTESTEE_ARENA=512 -DTESTEE_TX=128 -DTESTEE_FAN=4 \
	-DAGENT_SLOTS=3 -DAGENT_SESSIONS=3 -DAGENT_ID_SIZE=40 -DAGENT_NAME_SIZE=32 -DAGENT_ARENA=1024 -DAGENT_TX=400 -DAGENT_MUTE \
	-DLANGSERVER_SLOTS=6 -DLANGSERVER_ID_SIZE=40 -DLANGSERVER_TOKEN_SIZE=24 -DLANGSERVER_ARENA=1536 -DLANGSERVER_TX=192
PROGRAMS = testee toolbox agent langserver
TOO_LARGE = hoist
BOARD_SOURCES = port/uart/uart_avr.c boards/firmware/avr.c boards/firmware/avr_sleep.c boards/firmware/avr_start.c
LINKING = -nostartfiles -Lboards/firmware -T boards/mega2560/link.ld
EMULATOR = qemu-system-avr -M mega2560 -display none -monitor none -serial stdio -bios
include boards/firmware/firmware.mk
