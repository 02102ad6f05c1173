/* SPDX-License-Identifier: MIT
 * Two hops for the other official clients. What the modern one sends stands for the one that asks first which era to speak, and what the
 * SDK's sends for the legacy one: of these only what each begins with, and a cancel. */

import { autoFlavour, behindBridge, legacyFlavour, modernFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';

testCommonScenarios(behindBridge(modernFlavour));
for (const flavour of [legacyFlavour, autoFlavour])
	testCommonScenarios(behindBridge(flavour), ['lists the tools with their schemas', 'a cancel in flight stops the tool, and nothing more is said']);
