# Firmwares over the test kernel: the toolbox that every board carries beside a task that computes without end, and one
# whose handler has its work done in another task.
KERNEL_PROGRAMS = toolbox crunch
KERNEL_SHARED = $(addprefix tests/rtos/kernel/,kernel.c start.c link.c) boards/firmware/cortex_m.c \
	$(addprefix port/,port_ring.c uart/uart.c uart/uart_cmsdk.c $(addprefix rtos/,rtos.c rtos_uart.c rtos_cmsis2.c))
kernel_sources_of = boards/apps/counters.c $(wildcard boards/apps/$(1)*.c) boards/firmware/$(1)_config.c tests/rtos/kernel/alone.c
kernel_sources_of_crunch = tests/rtos/kernel/crunch_config.c

kernel: $(KERNEL_PROGRAMS:%=$(OUT)/kernel/%.elf)

define kernel_program
$(OUT)/kernel/$(1).elf: $(call objects,$(KERNEL_SHARED) $(or $(kernel_sources_of_$(1)),$(call kernel_sources_of,$(1)))) $(LIBRARY)
	@mkdir -p $$(@D)
	$$(call SHOW,LD  $$@)$$(LINK) $$^ $$(LIBRARIES) $$(PLACED)
endef
$(foreach p,$(KERNEL_PROGRAMS),$(eval $(call kernel_program,$(p))))

$(OUT)/tests/rtos/kernel/%.o: private FLAGS += -Itests/rtos/cmsis2

# To be spoken with: make run-kernel BOARD=mps2-an385 APP=crunch
run-kernel:
	@$(MAKE) --no-print-directory $(OUT)/kernel/$(APP).elf >&2
	@$(MAKE) --no-print-directory BOARD=host BUILD=build build/host/emulate >&2
	@exec build/host/emulate $(EMULATOR) $(OUT)/kernel/$(APP).elf

.PHONY: kernel run-kernel
