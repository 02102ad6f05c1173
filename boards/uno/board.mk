# Arduino Uno: ATmega328P at 16 MHz with 32 KB flash and 2 KB RAM. README.md says what the options are for.
CC = avr-gcc
AR = avr-gcc-ar
CFLAGS = -Os -fno-early-inlining -flto -flto-partition=one -mrelax -mcall-prologues -mstrict-X -fshort-enums \
	-fira-algorithm=priority -fno-ipa-cp -fno-move-loop-invariants -fno-tree-dominator-opts -fno-tree-pre -fno-ipa-sra \
	-fno-guess-branch-probability -fno-jump-tables -fno-tree-phiprop -fno-ssa-phiopt -fno-tree-switch-conversion -fno-shrink-wrap -fno-tree-loop-im \
	-fno-tree-coalesce-vars -fno-tree-loop-optimize -fno-auto-inc-dec -fno-reg-struct-return -fno-rerun-cse-after-loop -fno-tree-loop-ivcanon -frename-registers --param large-stack-frame=32 --param large-stack-frame-growth=100
# Other programs than the toolbox have another one: THE_CONFIG= leaves it open.
THE_CONFIG = -DQUASH_THE_CONFIG=toolbox_config
CPU = -mmcu=atmega328p -std=gnu11 -DQUASH_FLASH_FROM=0x4000 -DFIRMWARE_CHECKED $(THE_CONFIG) -DTOOLBOX_SLOTS=2 -DTOOLBOX_ID_SIZE=24 \
	-DTOOLBOX_TOKEN_SIZE=40 -DTOOLBOX_ARENA=256 -DTOOLBOX_TX=160 -DTOOLBOX_REASON=1 -DTOOLBOX_SMALL -DTOOLBOX_CHECK=NULL -DTOOLBOX_FAULTS=NULL -DTOOLBOX_REASONS=NULL
LINKING = -nostartfiles -fwhole-program -ffunction-sections -Lboards/firmware -T boards/uno/link.ld
START_FLAGS = -fno-lto
PROGRAMS = toolbox
BOARD_SOURCES = port/uart/uart_avr.c boards/firmware/avr.c boards/firmware/avr_start.c
EMULATOR = qemu-system-avr -M uno -display none -monitor none -serial stdio -bios
include boards/firmware/firmware.mk
