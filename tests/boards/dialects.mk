# A testee for each dialect beside the one that DIALECT names, so that tests do not build this one anew.
DIALECTS = acp jsonrpc lsp mcp
testee_objects = $(filter-out $(TESTEE_CONFIG),$(call objects,$(call program_sources,testee)))

$(DIALECTS:%=$(OUT)/tests/testee-%.o): $(OUT)/tests/testee-%.o: boards/firmware/testee_config.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) $(FIRMWARE_FLAGS) -DTESTEE_DIALECT=quash_$* $(COMPILED)

$(DIALECTS:%=$(OUT)/tests/testee-%$(EXE)): $(OUT)/tests/testee-%$(EXE): $(OUT)/tests/testee-%.o $(testee_objects) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(LIBRARIES) $(PLACED)
