# Random mutants. The tool makes library and programs in build/mutate, with the library as a shared one.
$(OUT)/src/%.o: private FLAGS += -ffreestanding

$(OUT)/lib%.so: $(call objects,$(SOURCES))
	$(call SHOW,LD  $@)$(CC) $(CPU) $(CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^

OF = src
COUNT = 300
SEED = 1
LANES = 1
## mutate: random mutants of src/, port or boards/host, and which of them no test finds: make mutate COUNT=300 SEED=1 [OF=port] [LANES=2] [ONLY="step.c:97 tx.c"]
mutate:
	@node tests/mutate/mutate.mjs --of $(OF) --count $(COUNT) --seed $(SEED) --lanes $(LANES) $(ONLY:%=--only %)

SRC = 120
PORT = 60
HOST = 60
HOURS = 6
## worth: what each suite finds of mutants and of faults of the changelog, in hours; goes on where it was ended: make worth SRC=120 PORT=60 HOST=60
worth:
	@node tests/mutate/worth.mjs --src $(SRC) --port $(PORT) --host $(HOST) --hours $(HOURS) --seed $(SEED) --lanes $(LANES) \
		$(if $(SUITES),--suites "$(SUITES)")

.PHONY: mutate worth
