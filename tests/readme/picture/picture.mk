# The picture of the README: tests/readme/picture/picture.mjs drives these.

## picture: an agent moves a motor over a serial line and presses Stop; writes docs/stop.svg of what was measured
picture: picture-programs
	@tests/common/npm/install.sh
	@node tests/readme/picture/picture.mjs

PICTURE = $(OUT)/tests/readme/picture

# The motor of `make safe`, heavier: it needs 100 ms to slow down, and reports as often as an agent can follow.
$(PICTURE)/mover.o: tests/safe/mover.c $(OUT)/flags
	@mkdir -p $(@D)
	$(call SHOW,CC  $@)$(CC) $(FLAGS) -Itests/safe -DMOVER_LEASE_MS=2000 -DMOVER_RAMP_MS=100 -DMOVER_REPORT_MS=100 $(COMPILED)
$(PICTURE)/mover: $(PICTURE)/mover.o $(call objects,tests/safe/log.c tests/safe/mover_host.c $(BOARD_SHARED)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -Wl,--wrap=gather_port -Wl,-u,__wrap_gather_port $^ $(PLACED)
picture-programs: $(PICTURE)/mover $(OUT)/quash-bridge $(OUT)/emulate $(OUT)/tests/host/ptys

.PHONY: picture picture-programs
