# The ports for an RTOS, run over fakes of what they call; a million cancels from other threads; the ring between two cores; and
# wakes from another core, which no sanitizer slows down.
RTOS_PORTS = freertos zephyr cmsis2
RTOS_TESTS = $(OUT)/tests/rtos/smp/test $(RTOS_PORTS:%=$(OUT)/tests/rtos/%/test) $(OUT)/tests/rtos/freertos/narrow $(OUT)/tests/rtos/freertos/cores $(OUT)/tests/rtos/cancels $(OUT)/tests/rtos/zephyr/dtr
RTOS_FAKE_zephyr = tests/rtos/zephyr/serial.c
RTOS_FAKE_freertos = tests/rtos/freertos/buffers.c
CHECK = tests/common/check.c
RTOS_SHARED = port/port_ring.c port/uart/uart.c port/rtos/rtos.c port/rtos/rtos_uart.c

rtos-tests: $(RTOS_TESTS)
rtos-sanitized:
	$(MAKE) $(SANITIZED) rtos-tests
rtos-threads:
	$(MAKE) BUILD=$(BUILD)/threads CC=clang CFLAGS='-O1 -g -fsanitize=thread' $(addprefix $(BUILD)/threads/host/tests/rtos/,cancels ring smp/test)

rtos-wakes: $(OUT)/tests/rtos/wakes
rtos-ring: $(OUT)/tests/rtos/ring

define rtos_port
$(OUT)/tests/rtos/$(1)/bench.o $(OUT)/tests/rtos/$(1)/serial.o $(OUT)/tests/rtos/$(1)/buffers.o $(OUT)/port/rtos/rtos_$(1).o: private FLAGS += -Itests/rtos -Itests/rtos/$(1)
$(OUT)/tests/rtos/$(1)/test: $(call objects,$(addprefix tests/rtos/,$(1)/bench.c ports.c line.c fake.c) $(CHECK) $(RTOS_FAKE_$(1)) port/rtos/rtos_$(1).c $(RTOS_SHARED)) $(LIBRARY)
	$$(call SHOW,LD  $$@)$$(LINK) -pthread $$^ $$(PLACED)
endef
$(foreach p,$(RTOS_PORTS),$(eval $(call rtos_port,$(p))))

# The port for Zephyr as it is with several cores: its interrupt runs on another one.
SMP = $(OUT)/tests/rtos/smp
SMP_SOURCES = tests/rtos/zephyr/bench.c tests/rtos/zephyr/serial.c port/rtos/rtos_zephyr.c
$(SMP)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) -DCONFIG_SMP -Iport -Itests/rtos -Itests/rtos/zephyr $(COMPILED)
$(SMP)/test: $(SMP_SOURCES:%.c=$(SMP)/%.o) $(call objects,$(addprefix tests/rtos/,ports.c line.c fake.c) $(CHECK) $(RTOS_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

$(OUT)/tests/rtos/cancels: $(call objects,tests/rtos/cancels.c $(CHECK) port/posix/posix_threads.c port/port_ring.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

$(OUT)/tests/rtos/zephyr/dtr.o $(OUT)/port/rtos/rtos_zephyr_usb.o: private FLAGS += -Itests/rtos -Itests/rtos/zephyr
$(OUT)/tests/rtos/zephyr/dtr: $(call objects,tests/rtos/zephyr/dtr.c tests/rtos/zephyr/serial.c tests/rtos/line.c tests/rtos/fake.c $(CHECK) port/rtos/rtos_zephyr.c port/rtos/rtos_zephyr_usb.c port/usb/usb.c $(RTOS_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

$(OUT)/tests/rtos/freertos/narrow.o $(OUT)/tests/rtos/freertos/cores.o: private FLAGS += -Itests/rtos -Itests/rtos/freertos
$(OUT)/tests/rtos/freertos/narrow: $(call objects,tests/rtos/freertos/narrow.c $(CHECK) port/rtos/rtos.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

$(OUT)/tests/rtos/freertos/cores: $(call objects,tests/rtos/freertos/cores.c tests/rtos/freertos/buffers.c tests/rtos/line.c $(CHECK) port/rtos/rtos.c) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

$(OUT)/tests/rtos/ring: $(call objects,tests/rtos/ring.c $(CHECK) port/port_ring.c port/uart/uart.c)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

$(OUT)/tests/rtos/wakes: $(call objects,tests/rtos/wakes.c $(CHECK)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -pthread $^ $(PLACED)

# Every UART and RTOS port with one core, driven into a UART that says nothing of what came before. The compiler calls the test before each
# access of theirs to something volatile.
EARLY = tests/rtos/early
EARLY_PORTS = port/port_ring.c port/rtos/rtos.c port/rtos/rtos_uart.c port/uart/uart.c \
	$(foreach u,16550 avr cmsdk nrf51 pl011,port/uart/uart_$(u).c) $(foreach k,$(RTOS_PORTS),port/rtos/rtos_$(k).c)
EARLY_TESTS = $(foreach f,early early_uarts early_cmsis2 early_freertos early_zephyr,$(EARLY)/$(f).c) tests/rtos/freertos/buffers.c $(CHECK)
EARLY_INCLUDES = -Iport -Itests/rtos -I$(EARLY) $(foreach k,$(RTOS_PORTS),-Itests/rtos/$(k))
EARLY_WATCHED = -fsanitize=thread --param=tsan-distinguish-volatile=1 -DPORT_SEVERAL_CORES=0

rtos-early: $(OUT)/$(EARLY)/points
$(OUT)/$(EARLY)/%.o: private FLAGS += $(EARLY_INCLUDES)
$(OUT)/$(EARLY)/watched/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) $(EARLY_INCLUDES) $(EARLY_WATCHED) $(COMPILED)
$(OUT)/$(EARLY)/points: $(call objects,$(EARLY_TESTS)) $(EARLY_PORTS:%.c=$(OUT)/$(EARLY)/watched/%.o) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

.PHONY: rtos-early rtos-wakes rtos-ring rtos-tests rtos-sanitized rtos-threads
