/* SPDX-License-Identifier: MIT
 * The scenarios for @modelcontextprotocol/client where it speaks the era of `initialize`, and where it asks first which to speak. */

import { autoFlavour, legacyFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';

[legacyFlavour, autoFlavour].forEach((flavour) => testCommonScenarios(flavour));
