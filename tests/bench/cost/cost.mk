# What is counted, in a folder of its own in build/: the library tells of each block of its code that runs, the tests do not.
COST = $(OUT)/tests/bench/cost/cost

$(OUT)/tests/bench/cost/%.o: private FLAGS += -fno-sanitize-coverage=trace-pc
$(COST): $(call objects,$(wildcard tests/bench/cost/*.c) tests/common/check.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

cost-program:
	$(MAKE) BUILD=$(BUILD)/cost CFLAGS='-Os -fsanitize-coverage=trace-pc' $(BUILD)/cost/host/tests/bench/cost/cost

.PHONY: cost-program
