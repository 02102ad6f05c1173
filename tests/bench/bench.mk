# The firmware whose instructions are counted: `make count`. Each board says what counts and how many of the messages its
# flash holds. AVRs have them copied from there in pieces, and an arena too small for the message of 4 KB.
COUNTER_mps2-an385 = counter_systick semihosting
COUNTER_lm3s6965evb = counter_systick semihosting
COUNTER_microbit = counter_nrf51 semihosting
COUNTER_riscv-virt = counter_minstret
COUNTER_mega2560 = counter_avr
COUNTER_uno = counter_avr
COUNTER_pico = counter_pico
BENCH_MESSAGES_mps2-an385 = 6
BENCH_MESSAGES_riscv-virt = 6
BENCH_MESSAGES_pico = 6
BENCH_MESSAGES_mega2560 = 4
BENCH_MESSAGES_uno = 4
BENCH_PIECE_mega2560 = 64
BENCH_ARENA_mega2560 = 768
BENCH_PIECE_uno = 64
BENCH_ARENA_uno = 352
BENCH_TX_uno = 128
BENCH_PARTS_uno = parts_small
BENCH_FLAGS = -DBENCH_MESSAGES=$(or $(BENCH_MESSAGES_$(BOARD)),5) -DBENCH_PIECE=$(or $(BENCH_PIECE_$(BOARD)),65536) \
	-DBENCH_ARENA=$(or $(BENCH_ARENA_$(BOARD)),4608) -DBENCH_TX=$(or $(BENCH_TX_$(BOARD)),256)
# BENCH_KNOWN=yes: only of the plain peer, in one unit with the library.
ifdef BENCH_KNOWN
BENCH_PEERS = plain_known parts_small
BENCH_FLAGS += -DQUASH_THE_CONFIG=bench_plain_config -DQUASH_API= -I$(BUILD)
$(OUT)/tests/bench/plain_known.o: $(BUILD)/quash.c
else
BENCH_PEERS = plain tools $(or $(BENCH_PARTS_$(BOARD)),parts_all)
endif
BENCH_SOURCES = port/port_ring.c port/uart/uart.c $(BOARD_SOURCES) $(wildcard boards/$(BOARD)/*.c) \
	$(addprefix tests/bench/,main.c report.c lexing.c serving.c $(BENCH_PEERS:%=%.c) $(COUNTER_$(BOARD):%=%.c))

$(OUT)/tests/bench/%.o: private FLAGS += $(FIRMWARE_FLAGS) $(BENCH_FLAGS) -Itests/bench
# Not for the link time optimiser: it does not look into assembler.
$(OUT)/tests/bench/messages.o: private FLAGS += -fno-lto -Wa,-Itests/bench/messages,-I$(BUILD)/bench

$(OUT)/tests/bench/messages.o: $(wildcard tests/bench/messages/*) $(BUILD)/bench/6_stream.ndjson

# Made beside its place: several boards may be built at once.
$(BUILD)/bench/6_stream.ndjson: tests/bench/stream.mjs tests/bench/messages/1_initialize.json
	$(call SHOW,GEN $@)mkdir -p $(@D) && node $< $@.$$$$ && mv $@.$$$$ $@

# The messages stand last: nothing else is so large that calls past it cost more.
$(OUT)/bench.elf: $(call objects,$(BENCH_SOURCES)) $(if $(BENCH_KNOWN),,$(LIBRARY)) $(OUT)/tests/bench/messages.o $(SCRIPTS)
	$(call SHOW,LD  $@)$(LINK) $(filter-out %.ld,$^) $(LIBRARIES) $(PLACED)
