# What prints each function of the library that is entered, in a folder of its own in build/.
WAY = $(OUT)/tests/layers/way

$(OUT)/tests/layers/%.o: private FLAGS := $(filter-out -finstrument-functions,$(FLAGS))
$(WAY): $(call objects,tests/layers/way.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

house-program:
	$(MAKE) BUILD=$(BUILD)/house CFLAGS='-O0 -finstrument-functions' $(BUILD)/house/host/tests/layers/way

## house: counts how the house reads: the way of a request, its cancel and its answer, and of a call through quash-bridge; short functions called once; lines; what a program may name, and what a reader meets
house: house-program turns-program
	@node tests/layers/house.mjs
	@node tests/layers/house-bridge.mjs
	@node tests/layers/interface.mjs

.PHONY: house house-program
