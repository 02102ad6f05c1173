# quash builds with any C11 compiler: `make CC=clang CFLAGS=-O2`. Everything made stands in build/. V=1 shows commands.

CC = gcc
CFLAGS = -Os
BUILD = build
BOARD = host
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Werror

.DEFAULT_GOAL = all
include boards/$(BOARD)/board.mk

OUT = $(BUILD)/$(BOARD)
FLAGS = -std=c11 $(WARNINGS) -ffunction-sections -fdata-sections -Iinclude $(CPU) $(CFLAGS)
LINK = $(CC) $(CPU) $(CFLAGS) $(LINKING) -Wl,--gc-sections -Wl,-Map=$@.map
LIBRARY = $(OUT)/libquash.a
SOURCES = $(wildcard src/*/*.c)

# The library's objects stand under a sum of the compiler and its options, and what is built with the same ones shares them:
# boards with one processor, the tests, programs of other sizes. What these define is nothing to the library.
DEFINED_FOR_PROGRAMS = -DTOOLBOX_% -DTESTEE_% -DAGENT_% -DLANGSERVER_% -DPOSIX_STAND_INS
LIBRARY_FLAGS = $(filter-out $(DEFINED_FOR_PROGRAMS),$(FLAGS)) -ffreestanding
OBJECTS := $(if $(filter build build/%,$(BUILD)),build,$(BUILD))/library/$(firstword $(shell echo '$(CC) $(LIBRARY_FLAGS)' | cksum))

SHOW = $(if $(V),,@echo '  $(1)'; )

objects = $(patsubst %,$(OUT)/%.o,$(basename $(1)))

# What is made is written beside its place: another make may be reading what stands there.
PLACED = -o $@.$$$$ && mv $@.$$$$ $@
COMPILED = -MMD -MP -MF $@.$$$$ -MT $@ -c $< -o $@.$$$$.o && mv $@.$$$$ $(@:.o=.d) && mv $@.$$$$.o $@
ARCHIVED = rm -f $@.$$$$ && $(AR) rcs $@.$$$$ $(filter %.o,$^) && mv $@.$$$$ $@
KEPT = echo '$(1)' | cmp -s - $@ || { echo '$(1)' > $@.$$$$ && mv $@.$$$$ $@; }

## all: the library and the programs of the host (the default), or of another board: BOARD=microbit
all: $(LIBRARY) $(PROGRAMS:%=$(OUT)/%$(EXE)) $(BESIDE)

## lib: the library alone
lib: $(LIBRARY)

$(OUT)/libquash.a: $(patsubst %.c,$(OBJECTS)/%.o,$(filter src/%,$(SOURCES))) $(call objects,$(filter-out src/%,$(SOURCES))) $(OUT)/flags

$(OUT)/lib%.a:
	$(call SHOW,AR  $@)$(ARCHIVED)

$(OBJECTS)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(LIBRARY_FLAGS) $(COMPILED)

## one-file: the library as two files, build/quash.c and build/quash.h
one-file: $(BUILD)/quash.c

$(BUILD)/quash.c: port/package/join.sh $(wildcard src/*/*.[ch] include/*.h include/quash/*.h)
	$(call SHOW,JOIN $@)port/package/join.sh $(@D)

define program
$(OUT)/$(1)$(EXE): $(call objects,$(call program_sources,$(1))) $(LIBRARY) $(SCRIPTS)
	$$(call SHOW,LD  $$@)$$(LINK) $$(filter-out %.ld,$$^) $$(LIBRARIES) $$(PLACED)
	$$(REPORT)
endef
$(foreach p,$(PROGRAMS),$(eval $(call program,$(p))))

# Programs to begin with: each NAME.c or NAME.cpp of boards/apps/examples, with the hardware that stands there too. The host adds a
# main; boards have theirs. A board whose memory is too small for one names it in TOO_LARGE.
EXAMPLES = $(filter-out pins $(TOO_LARGE),$(notdir $(basename $(wildcard boards/apps/examples/*.c boards/apps/examples/*.cpp))))
EXAMPLES_SHARED = boards/apps/examples/pins.c $(if $(filter host,$(BOARD)),boards/host/examples/example.c) $(BOARD_SHARED)

define example
$(OUT)/$(1)$(EXE): $(call objects,boards/apps/examples/$(1).c $(EXAMPLES_SHARED)) $(LIBRARY) $(SCRIPTS)
	$$(call SHOW,LD  $$@)$$(LINK) $$(filter-out %.ld,$$^) $$(LIBRARIES) $$(PLACED)
	$$(REPORT)
endef
$(foreach e,$(EXAMPLES),$(eval $(call example,$(e))))

## examples: seven programs to begin with, see docs/examples.md; for a board too: BOARD=lm3s6965evb
examples: $(EXAMPLES:%=$(OUT)/%$(EXE))

$(call objects,$(filter-out src/%,$(SOURCES))): private FLAGS += -ffreestanding
$(OUT)/port/%.o $(OUT)/boards/%.o: private FLAGS += $(BOARD_FLAGS)
$(OUT)/boards/%start.o: private FLAGS += $(BOARD_FLAGS) $(START_FLAGS)

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) $(COMPILED)

# What a user adds in C++11. It has nothing of the C++ library.
$(OUT)/%.o: %.cpp $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(filter-out -std=%,$(FLAGS)) -std=c++11 -fno-exceptions -fno-rtti $(COMPILED)

# Changes when the compiler or its options do.
$(OUT)/flags: always
	@mkdir -p $(@D)
	@$(call KEPT,$(CC) $(FLAGS))

$(TESTEE_CONFIG): $(OUT)/dialect
$(OUT)/dialect: always
	@mkdir -p $(@D)
	@$(call KEPT,$(DIALECT))

## run: a board's program in its emulator, its UART on stdin and stdout: make run BOARD=microbit APP=toolbox [BAUD=115200]
APP = toolbox
run:
	@$(MAKE) --no-print-directory $(OUT)/$(APP)$(EXE) >&2
	@$(MAKE) --no-print-directory BOARD=host $(BUILD)/host/emulate >&2
	@$(EMULATOR_INSTALL)
	@exec $(BUILD)/host/emulate --bound $(if $(BAUD),--baud $(BAUD)) $(EMULATOR) $(OUT)/$(APP)$(EXE)

## wasm: the engine of quash-bridge in WebAssembly, and the files that run it with Node: build/wasm/quash-bridge.mjs
wasm:
	@$(MAKE) --no-print-directory BOARD=wasm

include boards/page/page.mk

include port/package/package.mk

include tests/tests.mk

## clean: removes build/
clean:
	rm -rf $(BUILD)

## format: lays out the functions of the C sources by .clang-format; tables stay as they are
format:
	@node tests/layers/format.mjs --write

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

-include $(shell find $(OUT) $(OBJECTS) -name '*.d' 2>/dev/null)

.PHONY: all lib one-file examples run wasm clean format help always
.DELETE_ON_ERROR:
