# Random mutants of src/. The tool makes library and programs in build/mutate, with the library as a shared one.
$(OUT)/src/%.o: private FLAGS += -ffreestanding

$(OUT)/lib%.so: $(call objects,$(SOURCES))
	$(call SHOW,LD  $@)$(CC) $(CPU) $(CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^

COUNT = 300
SEED = 1
LANES = 1
## mutate: random mutants of src/, and which of them no test finds: make mutate COUNT=300 SEED=1 [LANES=2] [ONLY="step.c:97 tx.c"]
mutate:
	@node tests/mutate/mutate.mjs --count $(COUNT) --seed $(SEED) --lanes $(LANES) $(ONLY:%=--only %)

.PHONY: mutate
