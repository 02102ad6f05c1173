# Fuzzing: a program for each fuzz_NAME.c here, of clang's libFuzzer. They stand in a folder of their own in build/.

FUZZ_TARGETS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZED = BUILD=$(BUILD)/fuzz CC=clang LINKING=-fsanitize=fuzzer FUZZ_WITNESS=-fno-sanitize=fuzzer-no-link FUZZ_PLACES=-fno-sanitize-coverage=trace-cmp \
	CFLAGS='-O1 -g -DCUT_LONGEST=131072 -DWIRE_SLOTS=20 -DQUEUE_BYTES=65536 -DAHEAD_BYTES=4096 -DLINE_OUT=512 -DBRIDGE_LINES=32 -DBRIDGE_HTTP_CLIENTS=32 -DHTTP_CONNECTIONS=32 -DTOOLBOX_LONGEST=700 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all'
FUZZ_APPS = $(filter-out %_main.c boards/apps/testee%,$(wildcard boards/apps/*.c tests/common/gallery/*.c))
FUZZ_SIM = tests/fuzz/fuzz.c tests/fuzz/sim_target.c $(SIM_SHARED)
FUZZ_ALONE = $(filter-out tests/fuzz/sim_target.c tests/fuzz/fuzz_%,$(wildcard tests/fuzz/*.c)) tests/common/plain.c tests/common/legal.c $(FUZZ_APPS)
FUZZ_LINES = $(patsubst %,tests/fuzz/bridge/%.c,asks clients script)
FUZZ_BRIDGE = $(filter-out $(FUZZ_LINES),$(wildcard tests/fuzz/bridge/*.c)) tests/fuzz/fuzz.c port/http/http.c \
	$(patsubst %,boards/host/common/%.c,builder content_length cut device_options diagnosis events format heap host_escape mcp_client reading span text) $(wildcard boards/host/engine/*.c)
FUZZ_LIBRARY = $(call objects,$(filter src/%,$(SOURCES)))
FUZZ_LIBRARIES_json = -ljansson
FUZZ_LIBRARIES_quash_bridge = -ljansson
FUZZ_LIBRARIES_http_bridge = -ljansson

fuzz_with = $(if $(filter http,$(1)),port/http/http.c) $(if $(filter quash_bridge,$(1)),$(FUZZ_LINES)) $(if $(filter http_bridge,$(1)),$(wildcard tests/fuzz/http/*.c)) $(if $(filter %_bridge,$(1)),$(FUZZ_BRIDGE),$(if $(filter sim bridge,$(1)),$(FUZZ_SIM),$(FUZZ_ALONE)) boards/host/board.c)

## fuzz: fuzzes every target for FUZZ_SECONDS=60, or those of FUZZ="json stream"; the corpus grows in build/fuzz/corpus
FUZZ = $(FUZZ_TARGETS)
fuzz:
	@FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) tests/fuzz/run.sh $(FUZZ)

fuzzers:
	@$(MAKE) --no-print-directory $(FUZZED) $(FUZZ_TARGETS:%=$(BUILD)/fuzz/host/tests/fuzz/fuzz_%)

# The coverage that leads the fuzzer is that of library and programs; what watches them would drown it.
$(OUT)/tests/fuzz/%.o: private FLAGS += -Itests/sim -Itests $(FUZZ_WITNESS)
$(OUT)/tests/sim/%.o: private FLAGS += $(FUZZ_WITNESS)
# The bridge's scripts are made by chance, and most of what it compares is places in tables: two thirds of the time would go into that. It
# has a library of its own.
$(OUT)/boards/host/%.o: private FLAGS += $(FUZZ_PLACES)
$(FUZZ_LIBRARY): private FLAGS += $(FUZZ_PLACES) -ffreestanding
$(OUT)/tests/fuzz/fuzz_known.o: $(BUILD)/quash.c
$(OUT)/tests/fuzz/fuzz_known.o: private FLAGS += -I$(BUILD) -fsanitize=fuzzer-no-link

# The one that is known has the library in itself.
define fuzzer
$(OUT)/tests/fuzz/fuzz_$(1): $(OUT)/tests/fuzz/fuzz_$(1).o $(if $(filter known,$(1)),,$(call objects,$(call fuzz_with,$(1)))) $(if $(filter %_bridge,$(1)),$(FUZZ_LIBRARY),$(LIBRARY))
	$$(call SHOW,LD  $$@)$$(LINK) $$^ $(FUZZ_LIBRARIES_$(1)) $$(PLACED)
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call fuzzer,$(t))))

.PHONY: fuzz fuzzers
