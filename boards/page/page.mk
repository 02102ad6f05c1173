# SPDX-License-Identifier: MIT
# The page in two shapes: what the bridge serves, of sh alone, and one file with the engine.
PAGE_SOURCES = $(wildcard boards/page/*.mjs) boards/wasm/version.mjs $(addprefix boards/page/,join.sh order page.html page.css)
PAGE_WORKER = LICENSE port/package/npm/NOTICE $(wildcard boards/page/worker/*.mjs boards/wasm/*.mjs) boards/page/worker/order

## page: the page of a board for browsers, one file: build/page/quash.html
page:
	@$(MAKE) --no-print-directory BOARD=wasm $(BUILD)/page/quash.html

$(BUILD)/page/page.html: $(PAGE_SOURCES)
	$(call SHOW,JOIN $@)sh boards/page/join.sh served $@

$(BUILD)/page/quash.html: $(PAGE_SOURCES) $(PAGE_WORKER) $(BUILD)/wasm/bridge.wasm
	$(call SHOW,JOIN $@)sh boards/page/join.sh file $@ $(BUILD)/wasm/bridge.wasm

.PHONY: page
