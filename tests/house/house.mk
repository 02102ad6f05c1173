# What prints each function of the library that is entered, in a folder of its own in build/.
WAY = $(OUT)/tests/house/way

$(OUT)/tests/house/%.o: private FLAGS := $(filter-out -finstrument-functions,$(FLAGS))
$(WAY): $(call objects,tests/house/way.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ -o $@

house-program:
	$(MAKE) BUILD=$(BUILD)/house CFLAGS='-O0 -finstrument-functions' $(BUILD)/house/host/tests/house/way

## house: counts how the house reads: the way of a request, its cancel and its answer through files; short functions called once
house: house-program
	@node tests/house/house.mjs

.PHONY: house house-program
