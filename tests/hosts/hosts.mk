# The hosts of agents, and what they do to a motor: tests/hosts/run.mjs drives these.
HOSTS = $(OUT)/tests/hosts

## hosts: agent hosts from npm, as users run them, with a scripted model: tools, calls, Stop, their end; writes docs/hosts.md; ONLY="codex" runs one again
hosts: hosts-programs $(OUT)/quash-bridge $(OUT)/quash-inspect $(OUT)/tests/host/ptys
	@tests/hosts/run.sh $(ONLY)

hosts-programs: $(HOSTS)/terminal $(HOSTS)/watched
$(HOSTS)/%.o: private FLAGS += -Iport -Iboards/host -Iboards/apps
$(HOSTS)/terminal: $(call objects,tests/hosts/terminal.c)
	$(call SHOW,LD  $@)$(LINK) $^ -lutil $(PLACED)
$(HOSTS)/watched: $(call objects,tests/hosts/watched.c $(call program_sources,toolbox)) $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) -Wl,--wrap=host_run $^ $(PLACED)

.PHONY: hosts hosts-programs
