# The port over lwIP, run with lwIP as Debian packages it (liblwip-dev).
LWIP = /usr/include/lwip
LWIP_FLAGS = -isystem $(LWIP) -D_DEFAULT_SOURCE
LWIP_SHARED = tests/lwip/net.c port/lwip/lwip_tcp.c boards/apps/toolbox.c boards/apps/counters.c boards/host/board.c
LWIP_LINK = $(LINK) -Wl,--wrap=tcp_write $(filter %.o,$^) $(LIBRARY) -llwip
LWIP_TESTS = $(patsubst %.c,$(OUT)/%,$(wildcard tests/lwip/test_*.c))

$(OUT)/port/lwip/%.o $(OUT)/tests/lwip/%.o: private FLAGS += $(LWIP_FLAGS)
$(LWIP_TESTS): %: %.o $(call objects,tests/lwip/near.c tests/lwip/far.c $(LWIP_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LWIP_LINK) $(CMOCKA) $(PLACED)

# For real clients.
$(OUT)/tests/lwip/relay: $(call objects,tests/lwip/relay.c $(LWIP_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LWIP_LINK) $(PLACED)

lwip: $(LWIP_TESTS) $(OUT)/tests/lwip/relay
lwip-sanitized:
	$(MAKE) $(SANITIZED) lwip

.PHONY: lwip lwip-sanitized
