# The firmware of tests/boards/console.mjs.
CONSOLE = $(OUT)/tests/boards/console/console.elf
CONSOLE_SOURCES = $(filter-out boards/firmware/main.c,$(call program_sources,testee)) tests/boards/console/main.c port/console.c

board-console: $(CONSOLE)

$(CONSOLE): $(call objects,$(CONSOLE_SOURCES)) $(LIBRARY) $(SCRIPTS)
	$(call SHOW,LD  $@)$(LINK) $(filter-out %.ld,$^) $(LIBRARIES) $(PLACED)

.PHONY: board-console
