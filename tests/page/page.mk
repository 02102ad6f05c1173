# The page in a browser: tests/page/*.mjs.

## page-pictures: writes docs/page-*.png, which docs/page.md shows, of the page in Chromium
page-pictures: page ptys all
	@tests/common/npm/install.sh
	@$(MAKE) -s BOARD=lm3s6965evb $(BUILD)/lm3s6965evb/toolbox.elf examples
	@node tests/page/pictures.mjs

.PHONY: page-pictures
