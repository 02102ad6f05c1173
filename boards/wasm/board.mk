# The engine of quash-bridge in WebAssembly, for hosts of JavaScript. Debian's clang, lld, wasi-libc and libclang-rt-dev-wasm32 build it.
CC = clang --target=wasm32-wasi
CPU = -DQUASH_SIZE_BITS=32
# A result takes a sixth less time than with -Os, for a tenth more bytes.
CFLAGS = -O2
EXE = .wasm
PROGRAMS = bridge
BOARD_FLAGS = -Iport $(addprefix -Iboards/host,/ /common /engine /bridge)
WASM_COMMON = $(wildcard boards/host/common/*.c boards/host/engine/*.c)
# What bridge_system.c asks of POSIX wasm_files.c asks of the shell.
WASM_SETTINGS = $(filter-out %_system.c,$(wildcard boards/host/settings/*.c))
program_sources = $(wildcard boards/wasm/*.c) $(WASM_COMMON) $(WASM_SETTINGS) boards/host/bridge/bridge_arguments.c \
	boards/host/bridge/bridge_output.c port/http/http.c
# The stack stands first: what goes beyond it is a trap.
# Binutils write no index of an archive of these objects: without one the linker takes all of it, and drops what nobody calls.
LINKING = -mexec-model=reactor -Wl,--whole-archive,--import-memory,--stack-first,-z,stack-size=262144,--strip-all
LIBRARIES = -Wl,--no-whole-archive
# The files that load it stand beside it.
BESIDE = $(patsubst boards/wasm/%,$(BUILD)/wasm/%,$(wildcard boards/wasm/*.mjs))

BESIDE += $(BUILD)/wasm/page.html

$(BUILD)/wasm/page.html: $(BUILD)/page/page.html
	@mkdir -p $(@D)
	@cp $< $@

$(BUILD)/wasm/%.mjs: boards/wasm/%.mjs
	@mkdir -p $(@D)
	@cp $< $@
