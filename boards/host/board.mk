# The host is a board too: its programs speak on stdin and stdout.
# A program NAME is boards/host/NAME_main.c with its other sources boards/host/NAME_*.c and boards/apps/NAME*.c, and what
# all of them share.
PROGRAMS = $(patsubst boards/host/%_main.c,%,$(wildcard boards/host/*_main.c))
APPS_SHARED = boards/apps/counters.c
BOARD_SHARED = $(APPS_SHARED) port/posix_stdio.c port/posix_child.c \
	$(filter-out $(foreach p,$(PROGRAMS),boards/host/$(p)_%.c),$(wildcard boards/host/*.c))
BOARD_FLAGS = -Iport -Iboards/apps -Iboards/host

program_sources = $(wildcard boards/host/$(1)_*.c boards/apps/$(1)*.c) $(BOARD_SHARED)
