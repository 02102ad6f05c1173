# What all boards but the host have in common. A board names its CPU, its port's sources and its emulator.
EXE = .elf
FIRMWARE_FLAGS = -ffreestanding -Iport -Iboards/apps -Iboards/firmware -Iboards/$(BOARD)
BOARD_FLAGS = $(FIRMWARE_FLAGS)
APPS_SHARED = boards/apps/counters.c
BOARD_SHARED = $(APPS_SHARED) port/port_ring.c port/uart/uart.c $(BOARD_SOURCES) $(wildcard boards/$(BOARD)/*.c) boards/firmware/guard.c boards/firmware/main.c
SCRIPTS = $(wildcard boards/$(BOARD)/*.ld boards/firmware/*.ld)
program_sources = $(wildcard boards/apps/$(1)*.c) boards/firmware/$(1)_config.c $(BOARD_SHARED)

# What a firmware leaves of the RAM is printed when it has been linked.
TOOLS = $(CC:%gcc=%)
REPORT = @sh boards/firmware/report.sh $(TOOLS)size $(TOOLS)nm $@

# testee speaks one dialect, chosen when it is built.
DIALECT = acp
TESTEE_CONFIG = $(BUILD)/$(BOARD)/boards/firmware/testee_config.o
$(TESTEE_CONFIG): private FLAGS += -DTESTEE_DIALECT=quash_$(DIALECT)
