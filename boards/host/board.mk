# The host is a board too: its programs receive and transmit on stdin and stdout.
# A program NAME is NAME_main.c in a folder of boards/host/ with its other sources NAME_*.c there and boards/apps/NAME*.c,
# and what all of them share.
# Here speed counts more than bytes.
CFLAGS = -O2
PROGRAMS = $(patsubst %_main.c,%,$(notdir $(wildcard boards/host/*/*_main.c)))
APPS_SHARED = boards/apps/counters.c
BOARD_SHARED = $(APPS_SHARED) port/posix/posix_stdio.c port/posix/posix_child.c $(wildcard boards/host/*.c)
BOARD_FLAGS = -Iport -Iboards/apps -Iboards/host

program_sources = $(wildcard boards/host/*/$(1)_*.c boards/apps/$(1)*.c) $(BOARD_SHARED)
