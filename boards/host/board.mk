# The host is a board too: its programs receive and transmit on stdin and stdout.
# A program NAME is NAME_main.c in a folder of boards/host/ with its other sources NAME_*.c there and boards/apps/NAME*.c,
# and what all of them share. Those in QUASH are named quash-NAME.
# Here speed counts more than bytes.
CFLAGS = -O2
QUASH = bridge inspect
NAMES = $(patsubst %_main.c,%,$(notdir $(wildcard boards/host/*/*_main.c)))
PROGRAMS = $(QUASH:%=quash-%) $(filter-out $(QUASH),$(NAMES))
APPS_SHARED = boards/apps/counters.c
POSIX = stdio serve parent child tty socket tcp unix
BOARD_SHARED = $(APPS_SHARED) $(POSIX:%=port/posix/posix_%.c) port/http/http.c $(wildcard boards/host/*.c boards/host/common/*.c)
BOARD_FLAGS = -Iport -Iboards/apps -Iboards/host -Iboards/host/common -Iboards/host/engine

program_sources = $(wildcard boards/host/*/$(1:quash-%=%)_*.c boards/apps/$(1:quash-%=%)*.c) $(BOARD_SHARED)

# The page that quash-bridge serves is in it.
$(BUILD)/$(BOARD)/quash-bridge: $(BUILD)/$(BOARD)/page.o
$(BUILD)/$(BOARD)/page.o: $(BUILD)/$(BOARD)/page.c $(BUILD)/$(BOARD)/flags
	$(call SHOW,CC  $@)$(CC) $(FLAGS) $(COMPILED)
$(BUILD)/$(BOARD)/page.c: boards/page/array.sh $(BUILD)/page/page.html
	@mkdir -p $(@D)
	$(call SHOW,MAKE $@)sh $^ bridge_page_bytes > $@.$$$$ && mv $@.$$$$ $@

# The build fails where the engine of the bridge needs the system, or keeps something between two bridges.
engine_objects = $(patsubst %.c,$(BUILD)/$(BOARD)/%.o,$(wildcard boards/host/$(1)/*.c))
BESIDE = $(BUILD)/$(BOARD)/boards/host/engine/alone

$(BUILD)/$(BOARD)/boards/host/engine/alone: boards/host/engine/alone.sh $(call engine_objects,engine) $(call engine_objects,common) \
		$(BUILD)/$(BOARD)/port/http/http.o $(BUILD)/$(BOARD)/libquash.a
	@sh $< $(filter $(BUILD)/$(BOARD)/boards/host/engine/%,$^) -- $(filter-out $< $(BUILD)/$(BOARD)/boards/host/engine/%,$^)
	@touch $@
