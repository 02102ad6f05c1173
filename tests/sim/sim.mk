# The simulator: on the host with its seeds and its shrinking, plain and under the address sanitizer; on a board with
# single runs that come over its UART.
SIM_SHARED = $(filter-out tests/sim/main.c tests/sim/board.c,$(wildcard tests/sim/*.c)) tests/common/legal.c tests/common/plain.c $(addprefix boards/apps/,toolbox.c agent.c agent_client.c langserver.c counters.c)
SIM = $(OUT)/tests/sim/sim

$(SIM): $(call objects,$(SIM_SHARED) tests/sim/main.c boards/host/board.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

sim-program: $(SIM)
sanitized-sim:
	$(MAKE) $(SANITIZED) sim-program

.PHONY: sim-program sanitized-sim

ifneq ($(BOARD),host)
SIM_BOARD = $(OUT)/tests/sim/board.elf
$(SIM_BOARD): $(call objects,$(SIM_SHARED) tests/sim/board.c $(UNIT_BOARD_SOURCES)) $(UNIT_ARCHIVE) $(LIBRARY) $(UNIT_MK)
	$(call SHOW,LD  $@)$(CC) $(CPU) $(CFLAGS) $(UNIT_LINKING) -Wl,--gc-sections -Wl,--defsym=unit_stack_end=$(STACK_END) $(filter %.o,$^) $(UNIT_ARCHIVE) $(LIBRARY) $(LIBRARIES) $(PLACED)
sim-board: $(SIM_BOARD)
.PHONY: sim-board
endif
