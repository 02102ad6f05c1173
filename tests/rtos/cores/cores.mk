# A peer on one hart, its interrupts, cancels and wakes on another; CORES_PART=10 for a tenth of them.
CORES_PART = 1
CORES = $(OUT)/cores-$(CORES_PART)
CORES_SOURCES = $(wildcard tests/rtos/cores/*.c) tests/common/check.c port/port_ring.c port/uart/uart.c boards/firmware/memory.c
$(CORES)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) -ffreestanding -DPORT_SEVERAL_CORES=1 -DCORES_PART=$(CORES_PART) -Iport -Itests/common $(COMPILED)
$(CORES)/cores.elf: $(CORES_SOURCES:%.c=$(CORES)/%.o) $(LIBRARY) tests/rtos/cores/link.ld
	$(call SHOW,LD  $@)$(CC) $(CPU) $(CFLAGS) -nostdlib -nostartfiles -T tests/rtos/cores/link.ld -Wl,--no-warn-rwx-segments -Wl,--gc-sections $(filter-out %.ld,$^) -lgcc $(PLACED)

cores: $(CORES)/cores.elf

.PHONY: cores
