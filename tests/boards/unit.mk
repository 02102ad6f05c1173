# The unit tests of the host on a board: the same sources, with tests/boards/libc in place of cmocka and of what a
# freestanding compiler lacks. One firmware for each test file.
-include tests/boards/$(BOARD)/unit.mk
BOARD_TESTS = $(filter-out $(OUT)/tests/unit/test_posix_%,$(UNIT_TESTS:%=%.elf))
BOARD_TEST_FLAGS = $(FIRMWARE_FLAGS) -Itests/boards/$(BOARD) -Itests/boards/libc $(UNIT_ROOM)
# Of no use without the ports of POSIX.
HOST_ALONE = tests/unit/descriptors.c tests/unit/link_%.c
BOARD_TEST_SOURCES = $(filter-out tests/unit/test_% $(HOST_ALONE),$(wildcard tests/unit/*.c)) $(wildcard tests/boards/libc/*.c tests/boards/$(BOARD)/*.c) \
	port/console.c port/ring.c port/uart.c $(BOARD_SOURCES) $(wildcard boards/$(BOARD)/*.c) tests/gallery/gallery.c
STACK_END = stack_bottom

# For tests/boards/unit.sh.
board-unit: $(BOARD_TESTS)

$(OUT)/tests/unit/test_%.elf: $(OUT)/tests/unit/test_%.o $(call objects,$(BOARD_TEST_SOURCES)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -Wl,--defsym=unit_stack_end=$(STACK_END) $(filter %.o,$^) $(LIBRARY) $(LIBRARIES) -o $@

.PHONY: board-unit
