# SPDX-License-Identifier: MIT
# What others build quash from: archives, an installation, a release.

## packages: an archive for each build system, in build/packages/; PACKAGES="arduino cmake" makes those alone
packages:
	@sh port/package/archives.sh $(BUILD)/packages $(PACKAGES)

## release: checks changelog and tree, then writes archives, bill of materials and checksums to build/release/
release:
	@node port/package/release.mjs $(BUILD)/release

## npm: quash-bridge as a package of npm, in build/npm/, where quash-bridge.mjs runs it
npm: wasm
	@ENGINE=$(BUILD)/wasm/bridge.wasm sh port/package/npm/package.sh $(BUILD)/npm
	@sh port/package/npm/need.sh $(BUILD)/npm

## mcpb: quash-bridge as a bundle for Claude Desktop, build/mcpb/quash-bridge.mcpb
mcpb: npm
	@sh port/package/mcpb/bundle.sh $(BUILD)/mcpb $(BUILD)/npm/package

## branches: puts what the archives hold on branches package/NAME, for package managers that read a repository
branches:
	@sh port/package/branch.sh $(PACKAGES)

.PHONY: packages release npm mcpb branches

include port/package/install.mk
