# Safe motion: tests/safe/safe.mjs drives these.
SAFE = $(OUT)/tests/safe
SAFE_MOVER = tests/safe/mover.c tests/safe/log.c tests/safe/mover_host.c

safe-programs: $(SAFE)/safe $(SAFE)/mover

$(OUT)/tests/safe/%.o: private FLAGS += -Iport -Iboards/host -Iboards/firmware -Itests/safe
$(SAFE)/safe: $(call objects,$(addprefix tests/safe/,main.c faults.c rig.c cable.c client.c log.c))
	$(call SHOW,LD  $@)$(LINK) $^ -o $@
$(SAFE)/mover: $(call objects,$(SAFE_MOVER) $(BOARD_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ -o $@

.PHONY: safe-programs
