# The host is a board too: its programs receive and transmit on stdin and stdout.
# A program NAME is NAME_main.c in a folder of boards/host/ with its other sources NAME_*.c there and boards/apps/NAME*.c,
# and what all of them share. Those in QUASH are named quash-NAME.
# Here speed counts more than bytes.
CFLAGS = -O2
QUASH = bridge inspect
NAMES = $(patsubst %_main.c,%,$(notdir $(wildcard boards/host/*/*_main.c)))
PROGRAMS = $(QUASH:%=quash-%) $(filter-out $(QUASH),$(NAMES))
APPS_SHARED = boards/apps/counters.c
POSIX = stdio serve child tty socket tcp unix
BOARD_SHARED = $(APPS_SHARED) $(POSIX:%=port/posix/posix_%.c) port/http/http.c $(wildcard boards/host/*.c boards/host/common/*.c)
BOARD_FLAGS = -Iport -Iboards/apps -Iboards/host -Iboards/host/common -Iboards/host/engine

program_sources = $(wildcard boards/host/*/$(1:quash-%=%)_*.c boards/apps/$(1:quash-%=%)*.c) $(BOARD_SHARED)
