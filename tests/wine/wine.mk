# Windows, as Wine has it: tests/wine/run.mjs drives it.

## wine: quash-bridge of npm on Windows, as Wine has it, with the official client; writes docs/desks.md; ONLY="HTTP COM10" tries those cases again
wine:
	@tests/wine/install.sh
	@$(MAKE) --no-print-directory mcpb $(OUT)/tests/hosts/watched $(OUT)/tests/host/ptys
	@node tests/wine/run.mjs $(ONLY)

.PHONY: wine
