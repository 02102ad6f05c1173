# The unit tests of the host on a board: the same sources, with tests/boards/cmocka in place of cmocka and
# tests/boards/libc in place of what a freestanding compiler lacks. tests/boards/unit.mjs asks for firmwares test_NAME-FIRST-LAST.elf, with
# these tests of a file. A board says in UNIT_SIZES what it has for them, and in UNIT_LEAST how many per cent must fit; in UNIT_FILES
# which it runs, if not all. A firmware has UNIT_SECONDS of the processor. What lacks UNIT_PART bytes is tried in one more part. IMAGE stands for the
# firmware in UNIT_EMULATOR, or it follows; where that has no UART on stdout, UNIT_HEARD_AT has place and size of what was said in IMAGE.memory.
UNIT_SIZES =
UNIT_FILES =
UNIT_LEAST = 100
UNIT_SECONDS = 60
UNIT_PART = 16384
UNIT_BOARD_SOURCES = $(BOARD_SOURCES) $(wildcard boards/$(BOARD)/*.c)
UNIT_LINKING = $(LINKING)
UNIT_EMULATOR = $(EMULATOR)
STACK_END = stack_bottom
-include tests/boards/$(BOARD)/unit.mk

BOARD_TEST_FLAGS = $(FIRMWARE_FLAGS) -Itests/boards/$(BOARD) -Itests/boards/cmocka -Itests/boards/libc -Itests/unit $(UNIT_SIZES)
# Of no use without the ports of POSIX.
HOST_ALONE = tests/unit/descriptors.c tests/unit/link_%.c
UNIT_HELPERS = $(filter-out $(HOST_ALONE),$(wildcard tests/unit/*.c)) \
	$(wildcard tests/boards/cmocka/*.c tests/boards/libc/*.c tests/boards/$(BOARD)/*.c) port/console.c port/usb/usb.c port/http/http.c port/port_ring.c port/uart/uart.c tests/common/gallery/gallery.c
UNIT_ARCHIVE = $(OUT)/tests/unit/helpers.a
UNIT_FIXED = $(call objects,$(UNIT_BOARD_SOURCES) $(UNIT_ALONE))
UNIT_MK = tests/boards/unit.mk $(wildcard tests/boards/$(BOARD)/unit.mk)

# What tests/boards/unit.mjs has to know.
unit-plan:
	@echo 'files $(UNIT_FILES)'
	@echo 'least $(UNIT_LEAST)'
	@echo 'part $(UNIT_PART)'
	@echo 'seconds $(UNIT_SECONDS)'
	@echo 'haste $(patsubst -DUNIT_HASTE=%,%,$(filter -DUNIT_HASTE=%,$(UNIT_SIZES)))'
	@echo 'emulator $(UNIT_EMULATOR)'
	@echo 'heard $(UNIT_HEARD_AT)'

$(call objects,$(UNIT_HELPERS)): $(UNIT_MK)

# Only what a test names is linked.
$(UNIT_ARCHIVE): $(call objects,$(UNIT_HELPERS))
	$(call SHOW,AR  $@)$(ARCHIVED)

# The peer of the transcripts, for tests/talk/wire.c: see tests/talk/wire.h. TALK_ROOM is what the board has for it.
TALK_ROOM = -DTALK_POOL=12288 -DTALK_INPUT=1024
TALK_LINKING = $(UNIT_LINKING)
TALK_STUB = $(OUT)/tests/talk/board/stub.elf
TALK_STUB_SOURCES = tests/talk/board/stub.c $(addprefix tests/talk/,end.c link.c methods.c callers.c) \
	$(wildcard boards/apps/testee*.c) $(APPS_SHARED) $(UNIT_BOARD_SOURCES) \
	port/port_ring.c port/uart/uart.c $(wildcard tests/boards/cmocka/*.c tests/boards/libc/*.c tests/boards/$(BOARD)/*.c)
-include tests/boards/$(BOARD)/talk.mk
$(OUT)/tests/talk/%.o: private FLAGS += $(TALK_ROOM) -Itests/talk
$(TALK_STUB): $(call objects,$(TALK_STUB_SOURCES)) $(LIBRARY) $(UNIT_MK)
	$(call SHOW,LD  $@)$(CC) $(CPU) $(CFLAGS) $(TALK_LINKING) -Wl,--gc-sections -Wl,--defsym=unit_stack_end=$(STACK_END) $(filter %.o,$^) $(LIBRARY) $(LIBRARIES) $(PLACED)
talk-stub: $(TALK_STUB)

.SECONDEXPANSION:
unit_word = $(word $(1),$(subst -, ,$(2)))
$(OUT)/tests/unit/test_%.elf: private FLAGS += $(BOARD_TEST_FLAGS) -Isrc -Iport -Iboards/apps -Itests/common/gallery
$(OUT)/tests/unit/test_%.elf: $$(wildcard tests/unit/*/test_$$(call unit_word,1,$$*).c) $(UNIT_FIXED) $(UNIT_ARCHIVE) $(LIBRARY) $(UNIT_MK)
	@rm -f $@
	$(call SHOW,LD  $@)$(CC) $(FLAGS) -MMD -MP -MF $(@:.elf=.d) -MT $@ -DUNIT_FIRST=$(call unit_word,2,$*) -DUNIT_LAST=$(call unit_word,3,$*) \
		$(UNIT_LINKING) -Wl,--gc-sections -Wl,--defsym=unit_stack_end=$(STACK_END) $< $(UNIT_FIXED) \
		-Wl,--start-group $(UNIT_ARCHIVE) $(LIBRARY) -Wl,--end-group $(LIBRARIES) -o $@ 2>$@.log || { cat $@.log >&2; false; }
	$(if $(UNIT_CHANGE),@$(UNIT_CHANGE) $@)

.PHONY: unit-plan talk-stub
