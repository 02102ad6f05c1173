# A motor that is reset in the middle of its motion, on each board: tests/boards/resets.mjs drives it.
ifneq ($(BOARD),host)
RESETS = $(OUT)/tests/boards
$(RESETS)/%.o: private FLAGS += $(FIRMWARE_FLAGS)
$(RESETS)/motor.elf: $(call objects,tests/boards/motor.c $(BOARD_SHARED)) $(LIBRARY) $(SCRIPTS)
	$(call SHOW,LD  $@)$(LINK) $(filter-out %.ld,$^) $(LIBRARIES) $(PLACED)
resets-board: $(RESETS)/motor.elf
.PHONY: resets-board
endif
