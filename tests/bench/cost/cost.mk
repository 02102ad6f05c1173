# What is counted, in a folder of its own in build/: the library tells of each block of its code that runs, the tests do not.
COST = $(OUT)/tests/bench/cost/cost

$(OUT)/tests/bench/cost/%.o $(OUT)/tests/bench/turns/%.o: private FLAGS += -fno-sanitize-coverage=trace-pc -fno-instrument-functions
$(COST): $(call objects,$(wildcard tests/bench/cost/*.c) tests/common/check.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

# The bridge's turns: all of quash-bridge but its main, which hands over to the tests where it would sleep.
TURNS = $(OUT)/tests/bench/turns/turns
TURNS_OBJECTS = $(call objects,$(filter-out %/bridge_main.c,$(call program_sources,quash-bridge)) $(wildcard tests/bench/turns/*.c) tests/bench/cost/counter.c tests/common/check.c)
$(TURNS): private LINK += -Wl,--wrap=posix_stdio_poll,--wrap=clock_gettime,--wrap=posix_tcp_unacknowledged,--wrap=quash_lex_run,--wrap=quash_lex_byte
$(TURNS): $(TURNS_OBJECTS) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

turns-program:
	$(MAKE) BUILD=$(BUILD)/turns CFLAGS='-O0 -fsanitize-coverage=trace-pc -finstrument-functions' $(BUILD)/turns/host/tests/bench/turns/turns

## bridge-figures: what quash-bridge costs, figure by figure, in half a minute
bridge-figures: turns-program $(OUT)/quash-bridge $(OUT)/toolbox $(OUT)/tests/bench/host/client
	$(MAKE) BUILD=$(BUILD)/turns/plain $(BUILD)/turns/plain/host/tests/bench/turns/turns
	@node tests/bench/turns/figures.mjs

cost-program:
	$(MAKE) BUILD=$(BUILD)/cost CFLAGS='-Os -fsanitize-coverage=trace-pc' $(BUILD)/cost/host/tests/bench/cost/cost

.PHONY: cost-program turns-program bridge-figures
