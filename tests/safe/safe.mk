# Safe motion: tests/safe/safe.mjs drives these.
FAULTS = 10000
SEED = 1
BOARD_SECONDS = 300

## safe: seeded faults while a motor moves, on the host and on emulated boards; writes docs/safety.md: make safe FAULTS=1000 SEED=7
safe:
	@tests/install.sh gnuplot-nox gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm
	@node tests/safe/safe.mjs $(FAULTS) $(SEED) $(BOARD_SECONDS)

SAFE = $(OUT)/tests/safe
SAFE_MOVER = tests/safe/mover.c tests/safe/log.c tests/safe/mover_host.c

$(SAFE)/%.o: private FLAGS += -Iport -Iboards/host -Iboards/host/emulate -Itests/safe
$(SAFE)/safe: $(call objects,$(addprefix tests/safe/,main.c faults.c rig.c process.c cable.c client.c log.c) boards/host/emulate/emulate_starved.c)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)
$(SAFE)/mover: $(call objects,$(SAFE_MOVER) $(BOARD_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -Wl,--wrap=gather_port -Wl,-u,__wrap_gather_port $^ $(PLACED)
safe-programs: $(SAFE)/safe $(SAFE)/mover $(OUT)/quash-bridge

# On a board the lease is longer: its emulator may wait for a processor. The log on the second UART is slow on real ones.
ifneq ($(BOARD),host)
SAFE_FLAGS = -DMOVER_LEASE_MS=200 -DMOVER_RAMP_MS=50 -DMOVER_LONGEST_MS=600 -DMOVER_REPORT_MS=20
SAFE_SOURCES = tests/safe/mover.c tests/safe/mover_board.c tests/safe/$(BOARD).c $(BOARD_SHARED)
$(SAFE)/%.o: private FLAGS += $(FIRMWARE_FLAGS) $(SAFE_FLAGS)
$(SAFE)/mover.elf: $(call objects,$(SAFE_SOURCES)) $(LIBRARY) $(SCRIPTS)
	$(call SHOW,LD  $@)$(LINK) -Wl,--wrap=board_start $(filter-out %.ld,$^) $(LIBRARIES) $(PLACED)
safe-board: $(SAFE)/mover.elf
# With a defect, for the checks of the check.
$(SAFE)/mover_ignores.o: tests/safe/mover.c $(OUT)/flags
	$(call SHOW,CC  $@)$(CC) $(FLAGS) -DMOVER_DEFECT=MOVER_IGNORES_LEASE $(COMPILED)
$(SAFE)/ignores.elf: $(SAFE)/mover_ignores.o $(filter-out $(SAFE)/mover.o,$(call objects,$(SAFE_SOURCES))) $(LIBRARY) $(SCRIPTS)
	$(call SHOW,LD  $@)$(LINK) -Wl,--wrap=board_start $(filter-out %.ld,$^) $(LIBRARIES) $(PLACED)
safe-board: $(SAFE)/ignores.elf
endif

.PHONY: safe safe-programs safe-board
