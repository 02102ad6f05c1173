# What is checked, and how. The suites themselves are listed in tests/run.sh.

# The Node that the tests have from npm, where it is installed.
export PATH := $(CURDIR)/build/npm/bin:$(PATH)

CMOCKA = -lcmocka
UNIT_POSIX = $(wildcard port/posix/*.c boards/host/host_*.c boards/host/common/*.c $(addprefix boards/host/settings/bridge_,file.c path.c system.c) boards/host/engine/bridge_queue.c tests/unit/link_*.c tests/unit/descriptors.c)
UNIT_TESTS = $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(wildcard tests/unit/*/test_*.c))
PORTABLE_TESTS = $(foreach t,$(UNIT_TESTS),$(if $(findstring /test_posix_,$(t)),,$(t)))
TALK = $(OUT)/tests/talk/talk
TALK_BRIDGE = $(OUT)/tests/talk/talk-bridge
GALLERY = $(OUT)/tests/common/gallery/gallery
# Sanitizers slow the tests down, so rounds are fewer there.
SANITIZED = BUILD=$(BUILD)/sanitized CC=clang CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' UNIT_FLAGS='-O0 -DUNIT_HASTE=16'
# Unit tests are compiled more often than they are run. On a board they are to be small.
UNIT_FLAGS = $(if $(filter host,$(BOARD)),-O0)

# Put functions are watched (tests/common).
CHECKED = BUILD=$(BUILD)/checked SOURCES='$(wildcard src/*/*.c) tests/common/checked.c' \
	CFLAGS='-O1 -g -DQUASH_CHECKED'

## demo: clients of a bridge call the toolbox on a cable; whatever happens to client or cable, the motor stands (within a minute)
demo: $(OUT)/toolbox $(OUT)/quash-inspect $(OUT)/quash-bridge $(OUT)/tests/host/ptys
	@node tests/readme/demo/demo.mjs

## fast: builds what has changed; runs unit tests that do not wait, transcripts, the rules of the tree and of its layout: half a minute
fast:
	@TIMED=yes tests/run.sh test build unit-fast layers-fast format-fast talk-fast

## test: installs what the tests need, then runs every kind of check once; SUITES="unit talk" runs those alone
test:
	@tests/install.sh test
	@TIMED=yes tests/run.sh test build $(or $(SUITES),$(IN_TEST))

## test-more: what continuous integration has besides: other systems, boards and packages, more of what is random, planted defects
test-more:
	@tests/install.sh more
	@TIMED=yes tests/run.sh more build $(or $(SUITES),$(IN_MORE))

unique = $(if $(1),$(firstword $(1)) $(call unique,$(filter-out $(firstword $(1)),$(1))))
## test-all: everything, before a release
test-all:
	@tests/install.sh all
	@TIMED=yes tests/run.sh whole build $(or $(SUITES),$(call unique,$(IN_TEST) $(IN_MORE) $(IN_ALL)))

# The longest first, so that all lanes end together. A new suite has its name here and a case in tests/suite.sh, which says what of it
# stands on which level. What has something for make test-all alone has it besides.
IN_TEST = interop boards fuzz sim talk-boards sanitized talk talk-bridge bridge host demo readme safe format headers layers unit suite
IN_MORE = rtos packages boards mutants page fuzz interop check one-file size talk talk-bridge talk-boards sim big-endian sanitized on-boards systems cost prove headers layers lwip conformance checked examples wasm npm
IN_ALL = sim fuzz packages rtos boards talk-boards bridge on-boards systems npm safe conformance size cost big-endian prove bench

CONFORMING = host mps2-an385 riscv-virt
## conformance: the official suite of MCP over HTTP, on the host and on two boards; it is fetched with npm
conformance: all
	@tests/common/npm/install.sh
	@for board in $(filter-out host,$(CONFORMING)); do $(MAKE) BOARD=$$board build/$$board/conformance.elf || exit; done
	@node tests/interop/conformance.mjs $(CONFORMING)

## size: what library and programs weigh: flash, RAM, worst stack; against the budget
size:
	@node tests/size/size.mjs $(TARGETS)
	@node tests/size/checked.mjs
	@node tests/size/boards.mjs

## count: the instructions that messages cost on each board, or on BOARDS="pico mega2560"; against the budget
count:
	@node tests/bench/count.mjs $(BOARDS)

## bench: servers, parsers and peers of the host side by side with others, in minutes; writes docs/bench.md
bench: bench-quick
	@tests/install.sh $(BENCH_PACKAGES)
	@tests/common/npm/install.sh || true
	@node tests/bench/host/bench.mjs

## measure: makes the figures of the README and docs, and the budgets, anew
measure: all
	@node tests/size/size.mjs --write
	@node tests/size/checked.mjs --write
	@node tests/size/boards.mjs --write
	@tests/interop/run.sh ../bench/count --write
	@tests/interop/run.sh sizing.test --write

## life: writes the diagram of a request's life into docs/design.md
life: talk
	@node tests/readme/life.mjs --write

## wrong-tables: writes what is said of wrong tables, in C and in C++, into docs/checking.md
wrong-tables: $(BUILD)/host/libquash.a
	@node tests/builds/wrong_lines.mjs

## sim: so many seeds of the simulator: make sim SEEDS=20000
SEEDS = 10000
sim: sim-program
	@$(SIM) --seeds $(SEEDS)

## prove: Frama-C shows that no input leads out of bounds: all proofs and planted bugs
prove:
	@tests/proof/run.sh

# For the suites: the unit tests, the transcript runner, both under sanitizers and over the one file, and toolboxes that are short of TX, or
# have the Uno's memory.
unit: $(UNIT_TESTS)
talk: $(TALK)
talk-bridge: $(TALK_BRIDGE)
gallery: $(GALLERY)
talk-wasm:
	$(MAKE) BOARD=wasm $(BUILD)/wasm/tests/talk/talk-bridge.wasm
sanitized-unit sanitized-talk sanitized-talk-bridge: sanitized-%:
	$(MAKE) $(SANITIZED) $*
portable-unit: $(PORTABLE_TESTS)
checked-talk:
	$(MAKE) $(CHECKED) $(BUILD)/checked/host/tests/talk/talk
# Of the unit tests, those that try the build itself.
checked-unit:
	$(MAKE) $(CHECKED) $(addprefix $(BUILD)/checked/host/tests/unit/,json/test_writer mcp/test_mcp)
big-endian-talk big-endian-portable-unit: big-endian-%:
	$(MAKE) BUILD=$(BUILD)/big-endian CC=powerpc-linux-gnu-gcc CFLAGS=-O1 CPU='-DLANGSERVER_ARENA=8192 -DQUASH_COUNT_BITS=16' LINKING=-static CMOCKA= UNIT_POSIX= BOARD_TEST_FLAGS=-Itests/boards/cmocka \
		CMOCKA_SOURCES='$(wildcard tests/boards/cmocka/*.c tests/boards/process/*.c)' $*
# The tests' own objects over the library as one file.
ONE_FILE = $(BUILD)/one-file/host
one-file-library: $(BUILD)/quash.c
	$(MAKE) BUILD=$(BUILD)/one-file CFLAGS=-O1 SOURCES=$(BUILD)/quash.c $(ONE_FILE)/libquash.a
one-file-tests: $(patsubst $(OUT)/%,$(ONE_FILE)/%,$(PORTABLE_TESTS) $(TALK))
# With another C library, and with the stand-ins for what is Linux's own, where those are that port/posix and boards/host make.
# There speed counts for nothing.
musl:
	$(MAKE) BUILD=$(BUILD)/musl CC=musl-gcc CFLAGS=-O0 all
stand-ins:
	$(MAKE) BUILD=$(BUILD)/stand-ins CFLAGS='$(CFLAGS) -DPOSIX_STAND_INS' BOARD_FLAGS='$(BOARD_FLAGS) -O0' UNIT_SHARED= \
		all $(BUILD)/stand-ins/host/tests/unit/port/test_posix_system
uno-toolbox:
	$(MAKE) BUILD=$(BUILD)/uno-memory CFLAGS='-O2 $(shell grep -o -e '-DTOOLBOX_[A-Z_]*=[0-9][0-9]*' boards/uno/board.mk)' $(BUILD)/uno-memory/host/toolbox
# An app with other sizes, which SIZES defines.
SIZED = $(BUILD)/sized/$(APP)
$(SIZED): $(filter-out $(call objects,$(wildcard boards/apps/$(APP)*.c)),$(call objects,$(call program_sources,$(APP)))) $(LIBRARY) always
	@mkdir -p $(@D)
	$(call SHOW,LD  $@)$(LINK) $(FLAGS) $(BOARD_FLAGS) $(SIZES) $(wildcard boards/apps/$(APP)*.c) $(filter %.o %.a,$^) $(PLACED)

$(OUT)/tests/%.o: private FLAGS += $(BOARD_TEST_FLAGS) -Isrc -Iport -Iboards/apps -Iboards/host -Iboards/host/common -Iboards/host/engine -Itests/common -Itests/common/gallery -Itests/unit
$(OUT)/tests/unit/%.o: private FLAGS += $(UNIT_FLAGS)

UNIT_SHARED = $(call objects,$(filter-out tests/unit/link_% tests/unit/descriptors.c,$(wildcard tests/unit/*.c)) $(UNIT_POSIX) port/console.c port/usb/usb.c port/http/http.c port/port_ring.c port/uart/uart.c $(CMOCKA_SOURCES))
$(UNIT_TESTS): %: %.o $(UNIT_SHARED) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $(filter %.o,$^) $(LIBRARY) $(CMOCKA) $(PLACED)

$(patsubst $(OUT)/%,$(ONE_FILE)/%,$(PORTABLE_TESTS)): $(ONE_FILE)/%: $(OUT)/%.o $(UNIT_SHARED) one-file-library
	@mkdir -p $(@D)
	$(call SHOW,LD  $@)$(LINK) $(filter %.o,$^) $(ONE_FILE)/libquash.a $(CMOCKA) $(PLACED)

$(OUT)/tests/unit/mcp/test_mcp_parts $(ONE_FILE)/tests/unit/mcp/test_mcp_parts: $(OUT)/tests/common/gallery/gallery.o

# The engine of quash-bridge, but for what all unit tests have.
$(OUT)/tests/unit/port/test_posix_bridges: $(call objects,$(filter-out $(UNIT_POSIX),$(wildcard boards/host/engine/*.c)))

$(GALLERY): $(call objects,$(wildcard tests/common/gallery/*.c) $(BOARD_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

motor: $(OUT)/tests/host/motor
ptys: $(OUT)/tests/host/ptys $(OUT)/tests/host/clock.so $(OUT)/tests/host/plugged.so
$(OUT)/tests/host/%.o: private FLAGS += -Iport -Iboards/host -Iboards/host/common
teller: $(OUT)/tests/host/teller
$(OUT)/tests/host/motor $(OUT)/tests/host/teller: $(OUT)/tests/host/%: $(OUT)/tests/host/%.o $(call objects,$(BOARD_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

$(OUT)/tests/host/clock.so $(OUT)/tests/host/plugged.so: $(OUT)/tests/host/%.so: tests/host/%.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,LD  $@)$(CC) -std=c11 $(WARNINGS) -O2 -fPIC -shared $< $(PLACED)

$(OUT)/tests/host/ptys: $(call objects,tests/host/ptys.c)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

TALK_PROGRAMS = $(addprefix boards/apps/,toolbox.c agent.c agent_client.c langserver.c) tests/common/gallery/gallery.c boards/host/board.c
TALK_OBJECTS = $(call objects,tests/common/legal.c tests/common/plain.c $(wildcard tests/talk/*.c boards/apps/testee*.c) $(TALK_PROGRAMS) $(APPS_SHARED))
$(TALK): $(TALK_OBJECTS) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)
# Transcripts of quash-bridge: its engine, and the words of its command line.
$(OUT)/tests/talk/bridge/%.o: private FLAGS += -Iboards/host/bridge -Itests/talk
TALK_BRIDGE_OBJECTS = $(call objects,$(wildcard tests/talk/bridge/*.c) $(patsubst %,tests/talk/%.c,text lines words json) tests/common/plain.c \
	$(filter-out boards/host/bridge/bridge_main.c,$(call program_sources,quash-bridge)))
$(TALK_BRIDGE): $(TALK_BRIDGE_OBJECTS) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)
# Transcripts of quash-bridge in WebAssembly, which tests/wasm/talk-bridge.mjs plays.
$(OUT)/tests/talk/talk-bridge.wasm: $(filter-out $(OUT)/boards/wasm/wasm_bridge.o,$(TALK_BRIDGE_OBJECTS)) $(OUT)/tests/wasm/exit.o $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -Wl,--export=__main_argc_argv,--export=malloc,--export=fflush $^ $(LIBRARIES) $(PLACED)
$(ONE_FILE)/tests/talk/talk: $(TALK_OBJECTS) one-file-library
	@mkdir -p $(@D)
	$(call SHOW,LD  $@)$(LINK) $(filter %.o,$^) $(ONE_FILE)/libquash.a $(PLACED)

# The same with the library and one config in one unit, for each dialect. All but that unit is for all of them. The unit tests, the Uno
# and `make count` have such a unit that is optimized.
KNOWN_DIALECTS = acp lsp mcp jsonrpc
KNOWN = $(BUILD)/known/host
talk-known: $(BUILD)/quash.c
	$(MAKE) BUILD=$(BUILD)/known CFLAGS='-O0 -DQUASH_THE_CONFIG=talk_config -DQUASH_API= -I$(BUILD)' $(KNOWN_DIALECTS:%=$(KNOWN)/talk-%)
$(KNOWN_DIALECTS:%=$(OUT)/known-%.o): $(OUT)/known-%.o: tests/talk/known/known.c $(OUT)/flags
	$(call SHOW,CC  $@)$(CC) $(FLAGS) -ffreestanding -DTALK_DIALECT=quash_$* -Iboards/apps -Itests/talk $(COMPILED)
$(KNOWN_DIALECTS:%=$(OUT)/talk-%): $(OUT)/talk-%: $(OUT)/known-%.o $(TALK_OBJECTS)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

# The tests' own objects over the library with a config that is known: that of the loop that they talk to, which the linker names;
# or the device's, which is constant. Lexer, values and writer know no config.
KNOWN_OBJECT = device
KNOWN_LIBRARY = known-unit-$(1) UNIT_FLAGS= SOURCES=tests/unit/known/known.c CFLAGS='$(CFLAGS) -DQUASH_THE_CONFIG=known_config -DQUASH_API= -Itests/unit -I$(BUILD) $(2)'
KNOWN_UNIT_any = $(filter-out $(OUT)/tests/unit/json/% $(OUT)/tests/unit/wire/%,$(PORTABLE_TESTS))
KNOWN_UNIT_acp = $(patsubst %,$(OUT)/tests/unit/core/test_%,pump request peer decide step receive)
define known_unit
known-unit-$(1)-library: $(BUILD)/quash.c
	$$(MAKE) BUILD=$(BUILD)/$(call KNOWN_LIBRARY,$(1),$(2)) $(BUILD)/known-unit-$(1)/host/libquash.a
known-unit-$(1): $(KNOWN_UNIT_$(1):$(OUT)/%=$(BUILD)/known-unit-$(1)/host/%)
$(KNOWN_UNIT_$(1):$(OUT)/%=$(BUILD)/known-unit-$(1)/host/%): $(BUILD)/known-unit-$(1)/host/%: $(OUT)/%.o $(3) known-unit-$(1)-library
	@mkdir -p $$(@D)
	$$(call SHOW,LD  $$@)$$(LINK) $$(KNOWN_LINK) $$(filter %.o,$$^) $(BUILD)/known-unit-$(1)/host/libquash.a $$(CMOCKA) $$(PLACED)
endef
$(eval $(call known_unit,any,-O1,$(UNIT_SHARED)))
$(eval $(call known_unit,acp,-DKNOWN_DIALECT=quash_acp,$(UNIT_SHARED:%/unit/loop.o=%/unit/known/loop.o)))
known-unit: known-unit-any known-unit-acp
$(OUT)/tests/unit/known/loop.o: private FLAGS += -DQUASH_THE_CONFIG=known_config
$(OUT)/tests/unit/known/loop.o: tests/unit/loop.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) $(COMPILED)
KNOWN_PLACES = $(BUILD)/known-unit-any/host/tests/unit
$(KNOWN_PLACES)/%: KNOWN_LINK = -Wl,--defsym=known_config=$(KNOWN_OBJECT)
$(addprefix $(KNOWN_PLACES)/,params/test_params port/test_port_console port/test_port_usb port/test_port_ring): KNOWN_OBJECT = l
$(KNOWN_PLACES)/mcp/%: KNOWN_OBJECT = mcp
$(KNOWN_PLACES)/mcp/test_mcp_keep: KNOWN_OBJECT = config
$(KNOWN_PLACES)/mcp/test_mcp_parts: $(OUT)/tests/common/gallery/gallery.o

# The same over sources that tests/readme/life.mjs has made: they print how the state of requests changes.
$(BUILD)/life/talk: $(TALK_OBJECTS) $(LIBRARY) always
	@mkdir -p $(@D)
	$(call SHOW,LD  $@)$(LINK) $(FLAGS) -O0 -fno-pie -no-pie -include tests/readme/life.h $(LIFE_SOURCES) $(filter %.o %.a,$^) $(PLACED)

include tests/rtos/rtos.mk
ifeq ($(BOARD),mps2-an385)
include tests/rtos/kernel/kernel.mk
endif
ifeq ($(BOARD),riscv-virt)
include tests/rtos/cores/cores.mk
endif
ifeq ($(filter host wasm,$(BOARD)),)
include tests/boards/unit.mk
include tests/boards/console/console.mk
include tests/bench/bench.mk
include tests/boards/dialects.mk
endif
include tests/bench/host/host.mk
include tests/readme/picture/picture.mk
include tests/sim/sim.mk
include tests/fuzz/fuzz.mk
include tests/bench/cost/cost.mk
include tests/layers/house.mk
include tests/safe/safe.mk

include tests/boards/resets.mk
include tests/mutate/mutate.mk
include tests/lwip/lwip.mk
include tests/hosts/hosts.mk
include tests/wine/wine.mk
include tests/page/page.mk

.PHONY: talk-wasm conformance sim demo fast life wrong-tables test test-more test-all size count bench measure prove unit talk talk-bridge gallery motor teller ptys sanitized-unit sanitized-talk sanitized-talk-bridge checked-talk checked-unit portable-unit musl stand-ins big-endian-talk big-endian-portable-unit one-file-library one-file-tests talk-known known-unit $(foreach u,any acp,known-unit-$(u) known-unit-$(u)-library) uno-toolbox
.SECONDARY:
